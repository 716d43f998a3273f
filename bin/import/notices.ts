import type { FileChunk } from '../../lib/files/file.ts';
import type { Notice } from '../../lib/files/repeats.ts';
import type { Summary } from './summary.ts';

const shownNotices = 100;

/** Rows that are valid but probably not intended, such as those that repeat an earlier row. */
export class Notices {
  #count = 0;
  readonly #first: Notice[] = [];

  add({ notices }: FileChunk): void {
    this.#count += notices.length;
    for (const notice of notices.slice(0, shownNotices - this.#first.length)) this.#first.push(notice);
  }

  found(): Summary['notices'] {
    return { count: this.#count, first: this.#first };
  }
}
