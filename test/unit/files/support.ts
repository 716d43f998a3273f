import { gzipSync } from 'node:zlib';
import { type FileNotice, joinedNotices } from '../../../lib/domain/drop-box/file-notice.ts';
import { FileRefused } from '../../../lib/files/bytes.ts';
import { type FileChunk, openFile, type ReadOptions } from '../../../lib/files/file.ts';
import type { Row } from '../../../lib/files/rows.ts';

export type Read = {
  rows: Row[];
  chunks: FileChunk[];
  warnings: readonly string[];
  /** `kind: first rows`. */
  notices: string[];
  /** Why the file is not whole. */
  failure: string | undefined;
};

/** The result of reading the file. The bytes are read in parts of the given length. */
export async function read(
  content: string | Buffer,
  options: Partial<ReadOptions> & { part?: number; gzip?: boolean } = {},
): Promise<Read> {
  const { part = 64 * 1024, gzip = false, kind = 'accounts', ...rest } = options;
  const bytes = gzip ? gzipSync(content) : Buffer.from(content as string);
  const { chunks: source, warnings } = await openFile(partsOf(bytes, part), { kind, ...rest });
  const chunks: FileChunk[] = [];
  let failure: string | undefined;
  try {
    for await (const chunk of source) chunks.push(chunk);
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    failure = error.message;
  }
  const found = chunks.reduce<FileNotice[]>((all, { notices }) => joinedNotices(all, notices), []);
  return {
    rows: chunks.flatMap((chunk) => chunk.rows),
    chunks,
    warnings,
    notices: found.map(({ kind, first_rows }) => [kind, first_rows.join(' ')].join(': ').replace(/: $/, '')),
    failure,
  };
}

export const partsOf = (bytes: Buffer, length: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / length) }, (_, n) => bytes.subarray(n * length, (n + 1) * length));

/** The errors as `line column: reason`. */
export const faultsIn = ({ rows }: Read): string[] =>
  rows.flatMap(({ line, errors }) => errors.map(({ column, reason }) => `${line} ${column}: ${reason}`));

export const recordsIn = ({ rows }: Read) =>
  rows.filter(({ errors }) => errors.length === 0).map(({ record }) => record);
