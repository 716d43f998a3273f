import { stringify } from 'csv-stringify/sync';
import type { FileLayout } from '../../../../lib/files/records.ts';

/** The header line of a file with this layout; empty if the layout has none. */
export const csvHeader = ({ format, header, delimiter }: FileLayout): string =>
  format === 'csv' ? stringify([header], { delimiter }) : '';
