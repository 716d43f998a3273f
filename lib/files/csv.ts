import { stringify } from 'csv-stringify/sync';

/**
 * The writer of all CSV. A spreadsheet program takes a cell for a formula that begins like one. If its separator is a
 * semicolon or a tab, as in many countries, it does not know which cells are quoted: then a formula can also follow a
 * separator or a line break within a cell.
 */

type Cell = string | number | null | undefined;

/** A line of a file that is imported again: the cells as they are. A spreadsheet program must open it as text. */
export const dataLine = (cells: readonly Cell[], delimiter = ','): string => stringify([[...cells]], { delimiter });

/** A line for people: formulas are made text by an apostrophe. A number with its sign is none. */
export const textLine = (cells: readonly Cell[]): string =>
  dataLine(cells.map((cell) => (typeof cell === 'string' ? withoutFormulas(cell) : cell)));

/** What can begin a formula, after apostrophes, so that one can be taken away again. */
const formula = String.raw`'*[^\S;\t\r\n]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]`;
const formulas = new RegExp(String.raw`(^|[;\t\r\n])(?=${formula})`, 'g');
const escapedFormulas = new RegExp(String.raw`(^|[;\t\r\n])'(?=${formula})`, 'g');

const withoutFormulas = (cell: string): string => (/^[+-][\d .]*$/.test(cell) ? cell : cell.replace(formulas, "$1'"));

/** The cell as it was before {@link textLine}. */
export const originalCell = (cell: string): string => cell.replace(escapedFormulas, '$1');
