import type { Line } from './lines.ts';
import { decoded } from './text.ts';

/** One record of a file, or a line that is not a record. */
export type SourceRecord = {
  /** Line numbers and byte offsets of this record and of the next one. */
  line: number;
  start: number;
  end: number;
  nextLine: number;
  /** The text as it is in the file. */
  text: string;
  /** True if the bytes are not UTF-8. They are then read as Latin-1. */
  isForeign: boolean;
  /** The cells of a CSV record, if it parses. */
  cells: string[] | undefined;
  /** Why the line is not a record. */
  error: string | undefined;
};

/** A line as a record without cells: a line of NDJSON, or a line of CSV that does not parse. */
export function lineRecord(line: Line, error = line.isTooLong ? tooLong : undefined): SourceRecord {
  const { number, start, end, bytes } = line;
  return { line: number, start, end, nextLine: number + 1, ...decoded(bytes), cells: undefined, error };
}

const tooLong = 'is longer than 1 MB: a line break is missing, or the file is not a text file';
