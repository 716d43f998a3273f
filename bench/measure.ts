/** The middle of the values (of an even number, the lower of the two). */
export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** The value below which that share of all values lies. @throws RangeError when there are none. */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('nothing was measured');
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!;
}

/** Seconds that the work takes. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** Three significant digits are what such numbers are good for. */
export const rounded = (value: number): number => Number(value.toPrecision(3));
