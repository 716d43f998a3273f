import { LRUCache } from 'lru-cache';

/**
 * A cache of at most this many values, of which the least recently used are evicted. Not the option `max` of
 * `lru-cache`, which allocates memory for all of them at once.
 */
export const boundedCache = <Value extends NonNullable<unknown>>(maxValues: number): LRUCache<string, Value> =>
  new LRUCache({ maxSize: maxValues, sizeCalculation: () => 1 });

/** How many milliseconds a value is kept, and the clock to use. */
export type Expiry = { maxAge: number; now(): number };

const never: Expiry = { maxAge: Number.POSITIVE_INFINITY, now: () => 0 };

type Load<Value> = { began: number; value: Promise<Value> };

/**
 * Caches loaded values by key. It keeps the `max` values that were used most recently. Concurrent callers share one
 * load. A failed load is not kept. A load that ends late does not replace a newer one.
 */
export class LoadCache<Value> {
  readonly #loads: LRUCache<string, Load<Value>>;
  readonly #maxAge: number;
  readonly #now: () => number;

  /**
   * @param expiry without it, values do not expire. This does not use the `ttl` of `lru-cache`, which keeps a value one
   * millisecond longer and does not accept a clock that is at 0.
   */
  constructor(max: number, { maxAge, now }: Expiry = never) {
    this.#loads = boundedCache(max);
    this.#maxAge = maxAge;
    this.#now = now;
  }

  /** Returns the cached value, or loads it. */
  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const kept = this.#loads.get(key);
    return kept && this.#now() - kept.began < this.#maxAge ? kept.value : this.reload(key, load);
  }

  /**
   * Loads the value even if it is cached. Its age counts from the start of the load, so the data is never older than
   * that.
   */
  reload(key: string, load: () => Promise<Value>): Promise<Value> {
    const entry = { began: this.#now(), value: load() };
    this.#loads.set(key, entry);
    entry.value.catch(() => {
      if (this.#loads.peek(key) === entry) this.#loads.delete(key);
    });
    return entry.value;
  }

  /** Returns the value of the latest load, even if it has expired. */
  last(key: string): Promise<Value> | undefined {
    return this.#loads.peek(key)?.value;
  }
}
