import * as z from 'zod';

/** What the beginning of a file shows, and reading needs to continue in the middle. */
export const fileLayout = z.object({
  format: z.enum(['csv', 'ndjson']),
  /** True if the file is compressed. It must then be read from the beginning for every position. */
  gzip: z.boolean(),
  /** The encoding, if it is not UTF-8. The file must then be read from the beginning too. */
  encoding: z.string().optional(),
  /** The byte that ends a line: a line feed, or a carriage return if the header ends in one. */
  newline: z.literal([10, 13]),
  delimiter: z.string(),
  /** The cells of the first line of a CSV file. */
  header: z.array(z.string()),
});
export type FileLayout = z.output<typeof fileLayout>;

/** Where a chunk begins. Reading from here gives the same chunks as reading from the beginning. */
export const filePosition = z.object({
  layout: fileLayout,
  /** Bytes of the file, decompressed and in UTF-8, before this position. */
  offset: z.int(),
  /** Rows before this position. */
  rows: z.int().default(0),
  /** The number of the line that begins here, from 1. */
  line: z.int(),
  /** The index of the chunk that begins here, from 0. */
  chunk: z.int(),
  /** After the last chunk: why the file is not whole. */
  failure: z.string().optional(),
});
export type FilePosition = z.output<typeof filePosition>;

/** Where in the stored file to read from, to continue at this position. */
export const storedOffset = (place: FilePosition | undefined): number =>
  place && !place.layout.gzip && place.layout.encoding === undefined ? place.offset : 0;
