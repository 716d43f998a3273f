import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { FileLayout } from '../../lib/domain/file-position.ts';
import { rejectedHeader, rejectedLine } from '../../lib/files/rejected.ts';
import type { Row, RowError } from '../../lib/files/rows.ts';

export const rejectedPath = (base: string) => `${base}.rejected.csv`;

const { O_WRONLY, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW } = constants;
/** Rows contain personal data, so they are never written to a file of another user or through a link. */
const fresh = O_WRONLY | O_APPEND | O_CREAT | O_EXCL;
const own = O_WRONLY | O_APPEND | O_NOFOLLOW;

/** The file of rejected rows. It is created with the first rejected row. */
export class RejectedFile {
  readonly path: string;
  #bytes: number;
  #pending = '';
  #handle: FileHandle | undefined;

  private constructor(path: string, bytes: number) {
    this.path = path;
    this.#bytes = bytes;
  }

  /** Keeps `bytes` of an earlier run's file; the rows after them are written again. */
  static async open(path: string, bytes: number): Promise<RejectedFile> {
    if (bytes === 0) await rm(path, { force: true });
    else await shorten(path, bytes);
    return new RejectedFile(path, bytes);
  }

  get isEmpty(): boolean {
    return this.#bytes === 0 && this.#pending === '';
  }

  add(layout: FileLayout, row: Row, errors: readonly RowError[]): void {
    if (this.isEmpty) this.#pending = rejectedHeader(layout);
    this.#pending += rejectedLine(layout, row, errors);
  }

  /** Writes the added rows to disk. @returns the length of the file in bytes */
  async save(): Promise<number> {
    if (this.#pending === '') return this.#bytes;
    const text = Buffer.from(this.#pending);
    this.#pending = '';
    const flags = this.#bytes === 0 ? fresh : own;
    this.#bytes += text.length;
    const bytes = this.#bytes;
    this.#handle ??= await open(this.path, flags, 0o600);
    await this.#handle.writeFile(text);
    await this.#handle.datasync();
    return bytes;
  }

  async close(): Promise<void> {
    await this.save();
    await this.#handle?.close();
    this.#handle = undefined;
  }
}

async function shorten(path: string, bytes: number): Promise<void> {
  const handle = await open(path, own);
  try {
    await handle.truncate(bytes);
  } finally {
    await handle.close();
  }
}
