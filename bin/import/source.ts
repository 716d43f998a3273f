import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FilePosition } from '../../lib/domain/file-position.ts';
import { CannotRun } from './target.ts';

/** A file to import. It can be read several times and from any position. */
export type Source = {
  /** Shown to people, and used to detect the format. */
  name: string;
  /** The path that the names of the journal and of the file of rejected rows begin with. */
  base: string;
  size: number;
  /** Reads from a position on; `onRead` is called with the number of bytes read. */
  bytes(place?: FilePosition, onRead?: (bytes: number) => void): AsyncIterable<Buffer>;
  release(): Promise<void>;
};

/** @throws CannotRun if the file cannot be read */
export async function openSource(file: string): Promise<Source> {
  if (file === '-') return standardInput();
  const { size } = await statOf(file);
  return { name: basename(file), base: file, size, bytes: readerOf(file), release: async () => {} };
}

async function statOf(file: string) {
  try {
    const found = await stat(file);
    if (found.isFile()) return found;
  } catch (error) {
    throw new CannotRun(`${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
  throw new CannotRun(`${file} is not a file.`);
}

/** Standard input is copied to a temporary file, because the batch id is made from the whole content. */
async function standardInput(): Promise<Source> {
  const directory = await mkdtemp(join(tmpdir(), 'onboarding-import-'));
  const path = join(directory, 'stdin');
  const release = () => rm(directory, { recursive: true, force: true });
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
    const { size } = await stat(path);
    return { name: 'stdin', base: 'stdin', size, bytes: readerOf(path), release };
  } catch (error) {
    await release();
    throw new CannotRun(`Standard input cannot be copied to ${tmpdir()}: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

const readerOf = (path: string): Source['bytes'] =>
  async function* (place, onRead) {
    const start = place && !place.layout.gzip ? place.offset : 0;
    onRead?.(start);
    for await (const part of createReadStream(path, { start, highWaterMark: 256 * 1024 })) {
      onRead?.((part as Buffer).length);
      yield part as Buffer;
    }
  };

/** Identifies the content with its kind and mapping, so that the same command on the same file gives the same batch id. */
export async function fingerprint(source: Source, ...meaning: string[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(meaning));
  for await (const part of source.bytes()) hash.update(part);
  return hash.digest('hex').slice(0, 32);
}
