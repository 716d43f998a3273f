import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import { type FileKind, kinds } from './kinds.ts';
import type { Row } from './rows.ts';

/** Something that is no fault, and that whoever sends the file may want to know. */
export type Notice = { line: number; reason: string };

const firstSlots = 4096;
/** Room for some 196,000 rows, in 3 MB: the whole importer has to do with 150. */
const mostSlots = 2 ** 18;
const fullness = 0.75;

/**
 * Finds rows that are about what an earlier row was about: legal, for the later one counts, but often a mistake. Knows
 * so many first rows of a file; after that it knows what it knows. In typed arrays, which are outside the heap: a `Map`
 * of as many rows takes 10 MB more, and the importer with it needs more than 24 MB of its heap of 48, instead of 16.
 */
export class Repeats {
  readonly #kind: FileKind;
  #hashes = new Float64Array(firstSlots);
  #lines = new Uint32Array(firstSlots);
  #count = 0;

  constructor(kind: FileKind) {
    this.#kind = kind;
  }

  look({ line, record, errors }: Row): Notice | undefined {
    const { names, inWords } = kinds[this.#kind];
    const values = names.map((name) => valueAt(record, name));
    if (errors.length > 0 || values.some((value) => value === undefined)) return undefined;
    const before = this.#exchange(hash(values.join('\0')), line);
    return before === undefined ? undefined : { line, reason: `${inWords} as line ${before}; the later one counts` };
  }

  /** The line that was noted under the hash, if any; from now on it is this one. */
  #exchange(key: number, line: number): number | undefined {
    const at = slotOf(this.#hashes, key);
    if (this.#hashes[at] === key) {
      const before = this.#lines[at];
      this.#lines[at] = line;
      return before;
    }
    if (this.#count >= mostSlots * fullness) return undefined;
    this.#hashes[at] = key;
    this.#lines[at] = line;
    this.#count += 1;
    if (this.#count > this.#hashes.length * fullness && this.#hashes.length < mostSlots) this.#grow();
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

/** Where the key is, or is to be. */
function slotOf(hashes: Float64Array, key: number): number {
  const mask = hashes.length - 1;
  let at = (key % 2 ** 32) & mask;
  while (hashes[at] !== 0 && hashes[at] !== key) at = (at + 1) & mask;
  return at;
}

/** 53 bits, never zero: of thirty thousand files so full, one has two rows that are taken for one. */
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

function valueAt(record: JsonObject, field: string): string | undefined {
  const [head = '', name] = field.split('.');
  const outer: JsonValue | undefined = record[head];
  const value = record[field] ?? (name !== undefined && isJsonObject(outer) ? outer[name] : undefined);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
