export type CacheOptions<T> = {
  load(key: string): Promise<T>;
  /** Milliseconds, counted from when the load began, so that what it read is never older. */
  maxAge: number;
  maxEntries: number;
  now(): number;
};

/** What was loaded, for as long as it is trusted. Callers at the same time share one load; a failed one is not kept. */
export function createCache<T>({ load, maxAge, maxEntries, now }: CacheOptions<T>): (key: string) => Promise<T> {
  const entries = new Map<string, { began: number; value: Promise<T> }>();
  return (key) => {
    const began = now();
    const known = entries.get(key);
    if (known && began - known.began < maxAge) return known.value;
    const entry = { began, value: load(key) };
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value!);
    entry.value.catch(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
    return entry.value;
  };
}
