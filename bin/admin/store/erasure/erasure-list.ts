import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type ErasureEntry,
  type ErasureList,
  entryOfText,
  nameOfEntry,
} from '../../../../lib/store/erasure/erasure-list.ts';

/** The list of erasures of the local service: a folder beside its database. */
export class FolderErasureList implements ErasureList {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async add(entry: ErasureEntry): Promise<void> {
    const path = join(this.folder, nameOfEntry(entry));
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const draft = `${path}.tmp`;
    await writeFile(draft, JSON.stringify(entry), { mode: 0o600 });
    await rename(draft, path);
  }

  async *entries(): AsyncGenerator<ErasureEntry> {
    const files = await readdir(this.folder, { recursive: true }).catch(() => []);
    for (const file of files.filter((name) => name.endsWith('.json'))) {
      yield entryOfText(await readFile(join(this.folder, file), 'utf8'));
    }
  }
}
