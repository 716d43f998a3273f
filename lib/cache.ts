import { LRUCache } from 'lru-cache';

/** For how many milliseconds a value is kept, by which clock. */
export type Expiry = { maxAge: number; now(): number };

const never: Expiry = { maxAge: Number.POSITIVE_INFINITY, now: () => 0 };

type Load<Value> = { began: number; value: Promise<Value> };

/**
 * Keeps what was loaded, by key; of more than `max` values, those that were used last. Callers at the same time share
 * one load, and a failed load is not kept. A load that ends late changes nothing in a newer one.
 */
export class LoadCache<Value> {
  readonly #loads: LRUCache<string, Load<Value>>;
  readonly #maxAge: number;
  readonly #now: () => number;

  /**
   * @param expiry without it, values do not expire. Not the `ttl` of `lru-cache`, which keeps a value for a millisecond
   * more and takes no clock that is at 0.
   */
  constructor(max: number, { maxAge, now }: Expiry = never) {
    this.#loads = new LRUCache({ max });
    this.#maxAge = maxAge;
    this.#now = now;
  }

  /** The value that is kept, else one that is loaded now. */
  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const kept = this.#loads.get(key);
    return kept && this.#now() - kept.began < this.#maxAge ? kept.value : this.reload(key, load);
  }

  /** Loads the value now, whatever is kept. Its age counts from here, so that what it was read from is never older. */
  reload(key: string, load: () => Promise<Value>): Promise<Value> {
    const entry = { began: this.#now(), value: load() };
    this.#loads.set(key, entry);
    entry.value.catch(() => {
      if (this.#loads.peek(key) === entry) this.#loads.delete(key);
    });
    return entry.value;
  }

  /** The value that was loaded last, however old. */
  last(key: string): Promise<Value> | undefined {
    return this.#loads.peek(key)?.value;
  }
}
