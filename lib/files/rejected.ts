import { stringify } from 'csv-stringify/sync';
import { noteColumns, recordColumn } from './columns.ts';
import type { FileLayout } from './position.ts';
import type { RowError } from './row-error.ts';
import type { Row } from './rows.ts';

/**
 * Rejected rows as a CSV that can be mended and sent by itself: what is wrong, then the row as it was. A line that
 * could not be cut into cells stands in a column of its own, its cells empty, so that it is not taken by mistake; one
 * of NDJSON stands in a column that is read as such.
 */
export function rejectedHeader({ format, header }: FileLayout): string {
  return format === 'ndjson' ? csvLine([...notes, recordColumn]) : csvLine([...allNotes, ...ownColumns(header).names]);
}

export function rejectedLine({ format, header }: FileLayout, row: Row, errors: readonly RowError[]): string {
  const shown = errors.slice(0, maxShown);
  const more = errors.length > maxShown ? [`and ${errors.length - maxShown} more`] : [];
  const column = [...new Set(shown.map((error) => error.column))].filter((name) => name !== '').join(', ');
  const reason = errors.length === 1 ? errors[0]!.reason : [...shown.map(inWords), ...more].join('; ');
  const note = [String(row.line), column, reason];
  if (format === 'ndjson') return csvLine([...note, row.text]);
  const { at } = ownColumns(header);
  if (!row.cells) return csvLine([...note, row.text, ...at.map(() => '')]);
  return csvLine([...note, '', ...at.map((place) => row.cells![place] ?? '')]);
}

/** Faults of one row: a row may have thousands of cells, each of them wrong, and what is said of them is longer. */
const maxShown = 50;

/** A file that was rejected once has notes of its own, which the new ones replace. */
function ownColumns(header: readonly string[]): { at: number[]; names: string[] } {
  const at = [...header.keys()].filter((place) => !allNotes.includes(header[place]!.trim()));
  return { at, names: at.map((place) => header[place]!) };
}

const notes: string[] = [noteColumns.row, noteColumns.column, noteColumns.reason];
const allNotes = [...notes, noteColumns.line];

const inWords = ({ column, reason }: RowError) => (column === '' ? reason : `${column}: ${reason}`);

/** A carriage return in a cell is part of it, which only a quote says. */
const csvLine = (cells: readonly string[]): string => stringify([[...cells]], { quoted_match: /\r/ });
