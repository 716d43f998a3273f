/**
 * Works on all values, at most `atOnce` in parallel, and returns the results in the order of the values. Starts no
 * further work after a failure: an error in a loop over a generator ends the generator.
 */
export async function together<T, R>(
  values: readonly T[],
  atOnce: number,
  work: (value: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(values.length);
  const queue = (function* () {
    yield* values.entries();
  })();
  const lane = async () => {
    for (const [at, value] of queue) results[at] = await work(value);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, values.length) }, lane));
  return results;
}
