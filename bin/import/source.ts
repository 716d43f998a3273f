import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type FilePosition, storedOffset } from '../../lib/domain/drop-box/file-position.ts';
import { textOf } from '../../lib/files/encoding.ts';

/** Why an import did not start or did not finish, as a message for the operator. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}

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
  const found = await stat(file).catch(unreadable(file));
  if (!found.isFile()) throw new CannotRun(`${file} is not a file.`);
  return { name: basename(file), base: file, size: found.size, bytes: readerOf(file), release: async () => {} };
}

/** The text of a mapping file. @throws CannotRun */
export const mapText = (path: string): Promise<string> => readFile(path).then(textOf).catch(unreadable(path));

const unreadable = (path: string) => (cause: Error) => {
  throw new CannotRun(`${path} cannot be read: ${cause.message}.`, { cause });
};

/** Standard input is copied to a temporary file, because the batch id is made from the whole content. */
async function standardInput(): Promise<Source> {
  const directory = await mkdtemp(join(tmpdir(), 'onboarding-import-'));
  const path = join(directory, 'stdin');
  const release = () => rm(directory, { recursive: true, force: true });
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
    const { size } = await stat(path);
    return { name: 'stdin', base: 'stdin', size, bytes: readerOf(path), release };
  } catch (cause) {
    await release();
    throw new CannotRun(`Standard input cannot be copied to ${tmpdir()}: ${(cause as Error).message}.`, { cause });
  }
}

const readerOf = (path: string): Source['bytes'] =>
  async function* (place, onRead) {
    const start = storedOffset(place);
    onRead?.(start);
    for await (const part of createReadStream(path, { start, highWaterMark: 256 * 1024 })) {
      onRead?.((part as Buffer).length);
      yield part as Buffer;
    }
  };

/** Identifies the content with its kind and mapping (`meaning`), so that the same command on the same file gives the same batch id. */
export async function fingerprint(source: Source, meaning: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(meaning));
  for await (const part of source.bytes()) hash.update(part);
  return hash.digest('hex').slice(0, 32);
}
