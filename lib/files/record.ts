import type { Line } from './lines.ts';
import { decoded } from './text.ts';

/** One record of a file, or one line that cannot be one. */
export type SourceRecord = {
  /** The line and the byte where it begins, and where the next one does. */
  line: number;
  start: number;
  end: number;
  nextLine: number;
  /** As it stands in the file. */
  text: string;
  /** It is not UTF-8, and was read as Latin-1. */
  isForeign: boolean;
  /** Of a CSV, where the record can be cut. */
  cells: string[] | undefined;
  /** Why it is no record. */
  error: string | undefined;
};

/** A line as a record of its own, in a file without cells or where it cannot be cut. */
export function lineRecord(line: Line, error = line.isTooLong ? tooLong : undefined): SourceRecord {
  const { number, start, end, bytes } = line;
  return { line: number, start, end, nextLine: number + 1, ...decoded(bytes), cells: undefined, error };
}

const tooLong = 'is longer than 1 MB: a line end is missing, or this is no text';
