import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DropBoxFiles, StoredObject } from '../../../../lib/store/drop-box/drop-box-files.ts';
import { hidden, versionOf } from '../../../local/storage/bucket.ts';

/** The folder that the local service uses as a bucket. It keeps no old versions. */
export class FolderDropBox implements DropBoxFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (!entry.isFile() || entry.name.startsWith(hidden)) continue;
      const path = join(entry.parentPath, entry.name);
      const key = relative(this.#folder, path).split(sep).join('/');
      const stats = key.startsWith(prefix) ? await this.#stat(key) : undefined;
      if (stats) yield { key, version: versionOf(stats), at: Number(stats.mtimeMs) };
    }
  }

  async read(key: string, version: string) {
    const stats = await this.#stat(key);
    return stats && versionOf(stats) === version ? createReadStream(this.#pathOf(key)) : undefined;
  }

  async write(key: string, text: AsyncIterable<string>): Promise<void> {
    const draft = join(this.#folder, `${hidden}${randomUUID()}`);
    try {
      await pipeline(Readable.from(text), createWriteStream(draft, { mode: 0o600 }));
      await mkdir(dirname(this.#pathOf(key)), { recursive: true, mode: 0o700 });
      await rename(draft, this.#pathOf(key));
    } finally {
      await rm(draft, { force: true });
    }
  }

  async remove(key: string, version: string): Promise<void> {
    const stats = await this.#stat(key);
    if (stats && versionOf(stats) === version) await rm(this.#pathOf(key), { force: true });
  }

  #pathOf(key: string): string {
    return join(this.#folder, key);
  }

  #stat(key: string) {
    return stat(this.#pathOf(key), { bigint: true }).catch(() => undefined);
  }
}
