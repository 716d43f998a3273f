import { type FileKind, kinds, valueAt } from './kinds.ts';
import type { Notice } from './repeats.ts';
import type { Row } from './rows.ts';

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
