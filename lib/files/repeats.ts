import { type FileKind, kinds, valueAt } from './kinds.ts';
import type { Row } from './rows.ts';

/** Something that is not an error, but that the sender of the file may want to know. */
export type Notice = { line: number; reason: string };

const initialSlots = 4096;
/** Room for about 196,000 rows in 3 MB. The whole importer may use 150 MB. */
const maxSlots = 2 ** 18;
const maxLoad = 0.75;

/**
 * Finds rows with the same subject as an earlier row. This is allowed, because the later row wins, but is often a
 * mistake. When the table is full, further rows are only compared with the rows in it. The table is in typed arrays,
 * which are outside the heap: a `Map` of as many rows takes 10 MB more, and the importer would then need more than 24
 * MB of its 48 MB heap instead of 16 MB.
 */
export class Repeats {
  readonly #kind: FileKind;
  #hashes = new Float64Array(initialSlots);
  #lines = new Uint32Array(initialSlots);
  #count = 0;

  constructor(kind: FileKind) {
    this.#kind = kind;
  }

  look({ line, record, errors }: Row): Notice | undefined {
    const { names, sameNames } = kinds[this.#kind];
    const values = names.map((name) => valueAt(record, name));
    if (errors.length > 0 || values.some((value) => value === undefined)) return undefined;
    const before = this.#exchange(hash(values.join('\0')), line);
    return before === undefined ? undefined : { line, reason: `${sameNames} as line ${before}; the later line wins` };
  }

  /** Stores the line under the hash and returns the line that was stored before, if any. */
  #exchange(key: number, line: number): number | undefined {
    const at = slotOf(this.#hashes, key);
    if (this.#hashes[at] === key) {
      const before = this.#lines[at];
      this.#lines[at] = line;
      return before;
    }
    if (this.#count >= maxSlots * maxLoad) return undefined;
    this.#hashes[at] = key;
    this.#lines[at] = line;
    this.#count += 1;
    if (this.#count > this.#hashes.length * maxLoad && this.#hashes.length < maxSlots) this.#grow();
    return undefined;
  }

  #grow(): void {
    const [hashes, lines] = [this.#hashes, this.#lines];
    this.#hashes = new Float64Array(hashes.length * 2);
    this.#lines = new Uint32Array(hashes.length * 2);
    for (const [from, key] of hashes.entries()) {
      if (key === 0) continue;
      const at = slotOf(this.#hashes, key);
      this.#hashes[at] = key;
      this.#lines[at] = lines[from]!;
    }
  }
}

/** The slot that has the key, or the free slot for it. */
function slotOf(hashes: Float64Array, key: number): number {
  const mask = hashes.length - 1;
  let at = (key % 2 ** 32) & mask;
  while (hashes[at] !== 0 && hashes[at] !== key) at = (at + 1) & mask;
  return at;
}

/** 53 bits, never zero. In a full table, two different rows collide in about one of thirty thousand files. */
function hash(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
    high ^= high >>> 13;
  }
  low ^= low >>> 16;
  return ((high >>> 0) % 2 ** 21) * 2 ** 32 + (low >>> 0) + 1;
}

/** A long number as Excel writes it: `1.23457E+11`. The other digits are lost. */
const scientific = /^\d(?:[.,]\d+)?E\+?\d+$/i;

/** A notice for each field that identifies the row's subject and has such a number. */
export const scientificNotices = (kind: FileKind, { line, record, errors }: Row): Notice[] =>
  errors.length > 0
    ? []
    : kinds[kind].names.flatMap((name) =>
        scientific.test(valueAt(record, name) ?? '') ? [{ line, reason: lost(name) }] : [],
      );

const lost = (field: string): string =>
  `${field} is in scientific notation, so a spreadsheet has probably removed digits; format the column as text and export the file again`;
