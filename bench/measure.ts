import { readFileSync } from 'node:fs';

/** The median; for an even number of values, the lower of the two middle ones. */
export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** The smallest value that is not below the given share of all values. @throws RangeError if there are no values */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('nothing was measured');
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!;
}

export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

export const rounded = (value: number): number => Number(value.toPrecision(3));

/** The memory of a process, on Linux. `undefined` elsewhere. */
export function residentMegabytes(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
}
