/**
 * A cache with a bounded size. When a value makes it larger, those that were used least recently are evicted. A `Map`
 * keeps its keys in the order in which they were set, so a key that is used is set again.
 * Not a package: the common one costs 2 ms of each cold start, smaller ones do not keep an exact bound.
 */
export class BoundedCache<Value extends NonNullable<unknown>> {
  readonly #values = new Map<string, Value>();
  readonly #maxSize: number;
  readonly #sizeOf: (value: Value, key: string) => number;
  #size = 0;

  /** @param sizeOf without it, each value has the size 1 */
  constructor(maxSize: number, sizeOf: (value: Value, key: string) => number = () => 1) {
    this.#maxSize = maxSize;
    this.#sizeOf = sizeOf;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) {
      this.#values.delete(key);
      this.#values.set(key, value);
    }
    return value;
  }

  /** Does not count as a use. */
  peek(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** A value that is larger than the cache is not kept. */
  set(key: string, value: Value): void {
    this.delete(key);
    this.#values.set(key, value);
    this.#size += this.#sizeOf(value, key);
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#maxSize) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#size -= this.#sizeOf(value, key);
  }
}

/** How many milliseconds a value is kept, and the clock to use. */
export type Expiry = { maxAge: number; now(): number };

const never: Expiry = { maxAge: Number.POSITIVE_INFINITY, now: () => 0 };

type Load<Value> = { began: number; value: Promise<Value> };

/**
 * Caches loaded values by key. It keeps the `max` values that were used most recently. Concurrent callers share one
 * load. A failed load is not kept. A load that ends late does not replace a newer one.
 */
export class LoadCache<Value> {
  readonly #loads: BoundedCache<Load<Value>>;
  readonly #maxAge: number;
  readonly #now: () => number;

  /** @param expiry without it, values do not expire */
  constructor(max: number, { maxAge, now }: Expiry = never) {
    this.#loads = new BoundedCache(max);
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
