import { readFileSync } from 'node:fs';

/** The median; for an even number of values, the lower of the two middle ones. @throws RangeError if there are no values */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('nothing was measured');
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1]!;
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
