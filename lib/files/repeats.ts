import { type FileKind, kinds, valueAt } from './kinds.ts';
import type { Row } from './rows.ts';

/** Something that is not an error, but that the sender of the file may want to know. */
export type Notice = { line: number; reason: string };

/** Room for about 60,000 rows in 7 MB. The whole importer may use 150 MB. */
const maxKept = 4_000_000;
/** Of each row besides its text. */
const overhead = 32;

/**
 * Finds rows with the same subject as an earlier row. This is allowed, because the later row wins, but is often a
 * mistake. When it is full, further rows are only compared with the rows in it.
 */
export class Repeats {
  readonly #kind: FileKind;
  /** The last line of each subject. */
  readonly #lines = new Map<string, number>();
  #kept = 0;

  constructor(kind: FileKind) {
    this.#kind = kind;
  }

  look({ line, record, errors }: Row): Notice | undefined {
    const { names, sameNames } = kinds[this.#kind];
    const values = names.map((name) => valueAt(record, name));
    if (errors.length > 0 || values.some((value) => value === undefined)) return undefined;
    const subject = values.join('\0');
    const before = this.#lines.get(subject);
    if (before === undefined) this.#kept += subject.length + overhead;
    if (before !== undefined || this.#kept <= maxKept) this.#lines.set(subject, line);
    return before === undefined ? undefined : { line, reason: `${sameNames} as line ${before}; the later line wins` };
  }
}

/** A long number as Excel writes it: `1.23457E+11`. The other digits are lost. */
const scientific = /^\d(?:[.,]\d+)?E\+?\d+$/i;

/** A notice for each field that identifies the row's subject and has such a number. */
export const scientificNotices = (kind: FileKind, { line, record, errors }: Row): Notice[] =>
  errors.length > 0
    ? []
    : kinds[kind].names.flatMap((name) =>
        scientific.test(valueAt(record, name) ?? '') ? [{ line, reason: lost(name) }] : [],
      );

const lost = (field: string): string =>
  `${field} is in scientific notation, so a spreadsheet has probably removed digits; format the column as text and export the file again`;
