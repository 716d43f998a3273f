export type FileFormat = 'csv' | 'ndjson';

/** What was found out at a file's beginning, and is needed to go on in its middle. Plain JSON. */
export type FileLayout = {
  format: FileFormat;
  /** The bytes are compressed, so that they have to be read from their beginning whatever the place. */
  gzip: boolean;
  /** The byte that ends a line: a line feed, or a carriage return where a file knows no other. */
  newline: 10 | 13;
  delimiter: string;
  /** The cells of a CSV's first line. */
  header: string[];
};

/** Where a chunk begins. Reading from here gives what reading from the beginning gives from here on. Plain JSON. */
export type FilePosition = {
  layout: FileLayout;
  /** Bytes of the file, decompressed, before this place. */
  offset: number;
  /** The number of the line that begins here, from 1. */
  line: number;
  /** The index of the chunk that begins here, from 0. */
  chunk: number;
};
