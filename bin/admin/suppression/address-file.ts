import { parse } from 'csv-parse/sync';
import { normalizedAddress } from '../../../lib/domain/suppression/address.ts';
import { originalCell } from '../../../lib/files/csv.ts';
import { textIn } from '../document.ts';
import { failure } from '../failure.ts';

/** The addresses in a file, and the rows without one. */
export type AddressFile = { addresses: string[]; skipped: number; first_rows: number[] };

const shownRows = 10;

/**
 * The addresses in a file with one a line, or in the column `address` of a CSV file. Empty lines are no rows. An address is
 * in the list once.
 * @throws AdminFailure `invalid_arguments`, `invalid_request`
 */
export function addressesIn(file: string): AddressFile {
  const addresses = new Set<string>();
  const wrong: number[] = [];
  for (const { row, text } of cellsIn(file)) {
    const address = isAddress(text) ? normalizedAddress(text) : undefined;
    if (address === undefined) wrong.push(row);
    else addresses.add(address);
  }
  if (addresses.size === 0) {
    const remedy = 'It needs one address a line, or CSV with a column address.';
    throw failure('invalid_request', `${file} has no email address. ${remedy}`, 'file');
  }
  return { addresses: [...addresses], skipped: wrong.length, first_rows: wrong.slice(0, shownRows) };
}

const isAddress = (text: string): boolean => /^[^\s@,;]+@[^\s@,;]+$/.test(text.trim());

/** `row`: the number of the line of a plain list, or of the record of a CSV file without its header, from 1. */
function cellsIn(file: string): { row: number; text: string }[] {
  const text = textIn(file);
  const [first = ''] = text.split(/\r\n|\n|\r/, 1);
  const delimiter = [';', '\t'].find((each) => first.includes(each)) ?? ',';
  const column = first.split(delimiter).findIndex((name) => /^\s*"?address"?\s*$/i.test(name));
  if (column === -1) {
    const lines = text.split(/\r\n|\n|\r/).map((line, index) => ({ row: index + 1, text: line }));
    return lines.filter((line) => line.text.trim() !== '');
  }
  try {
    const rows: string[][] = parse(text, {
      ...{ bom: true, delimiter, from_line: 2, skip_empty_lines: true, relax_column_count: true },
    });
    return rows.map((row, index) => ({ row: index + 1, text: originalCell(row[column] ?? '') }));
  } catch (error) {
    throw failure('invalid_request', `${file} is not a CSV file: ${(error as Error).message}`, 'file');
  }
}
