import { stringify } from 'csv-stringify/sync';
import type { FileLayout } from './position.ts';

/** The first line of a file of this layout; nothing where it has none. */
export const csvHeader = ({ format, header, delimiter }: FileLayout): string =>
  format === 'csv' ? stringify([header], { delimiter }) : '';
