export type FileFormat = 'csv' | 'ndjson';

/** What the beginning of a file shows, and reading needs to continue in the middle. Plain JSON. */
export type FileLayout = {
  format: FileFormat;
  /** True if the file is compressed. It must then be read from the beginning for every position. */
  gzip: boolean;
  /** The byte that ends a line: a line feed, or a carriage return if the file has no line feeds. */
  newline: 10 | 13;
  delimiter: string;
  /** The cells of the first line of a CSV file. */
  header: string[];
};

/** Where a chunk begins. Reading from here gives the same chunks as reading from the beginning. Plain JSON. */
export type FilePosition = {
  layout: FileLayout;
  /** Bytes of the decompressed file before this position. */
  offset: number;
  /** The number of the line that begins here, from 1. */
  line: number;
  /** The index of the chunk that begins here, from 0. */
  chunk: number;
};
