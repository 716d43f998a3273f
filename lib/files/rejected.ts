import type { FileLayout } from '../domain/drop-box/file-position.ts';
import { noteColumns, recordColumn } from './columns.ts';
import { dataLine } from './csv.ts';
import type { Row, RowError } from './rows.ts';

/**
 * Rejected rows as a CSV file that can be fixed and sent again: the errors, then the original row. A line that does not
 * parse is in a column of its own and its cells are empty, so that it is not imported by mistake. A line of NDJSON is
 * in a column that is read as a whole record.
 */
export function rejectedHeader({ format, header }: FileLayout): string {
  return format === 'ndjson'
    ? dataLine([...notes, recordColumn])
    : dataLine([...allNotes, ...ownColumns(header).names]);
}

export function rejectedLine({ format, header }: FileLayout, row: Row, errors: readonly RowError[]): string {
  const shown = errors.slice(0, maxShown);
  const more = errors.length > maxShown ? [`and ${errors.length - maxShown} more`] : [];
  const column = [...new Set(shown.map((error) => error.column))].filter((name) => name !== '').join(', ');
  const reason = errors.length === 1 ? errors[0]!.reason : [...shown.map(textOf), ...more].join('; ');
  const note = [String(row.line), column, reason];
  if (format === 'ndjson') return dataLine([...note, row.text]);
  const { at } = ownColumns(header);
  if (!row.cells) return dataLine([...note, row.text, ...at.map(() => '')]);
  return dataLine([...note, '', ...at.map((place) => row.cells![place] ?? '')]);
}

/** Most errors to list for one row. A row can have thousands of invalid cells. */
const maxShown = 50;

/** The columns without notes: those of an earlier rejection are replaced by the new ones. */
function ownColumns(header: readonly string[]): { at: number[]; names: string[] } {
  const at = [...header.keys()].filter((place) => !allNotes.includes(header[place]!.trim()));
  return { at, names: at.map((place) => header[place]!) };
}

const notes: string[] = [noteColumns.row, noteColumns.column, noteColumns.reason];
const allNotes = [...notes, noteColumns.line];

const textOf = ({ column, reason }: RowError) => (column === '' ? reason : `${column}: ${reason}`);
