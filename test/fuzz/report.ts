import type { FuzzReport } from './fuzz.ts';

/** The report as text: a line for each operation, then each failed request as a command that repeats it. */
export function textOf({ seed, requests, seconds, operations, failures, untouched }: FuzzReport): string {
  const rows = operations.map(({ operation, requests: count, valid, statuses, failures: failed }) =>
    [
      operation.padEnd(26),
      ...[count, valid, failed].map((each) => String(each).padStart(9)),
      `   ${statusesOf(statuses)}`,
    ].join(''),
  );
  return [
    `${'operation'.padEnd(26)} requests    valid   failed   by status`,
    ...rows,
    '',
    ...failures.flatMap(({ operation, request, faults, curl }) => [
      `${operation}, request ${request} of seed ${seed}:`,
      ...faults.map((each) => `  ${each}`),
      `  ${curl}`,
      '',
    ]),
    `${requests.toLocaleString('en')} requests in ${seconds} s, seed ${seed}: ${failures.length || 'none'} failed; what was forbidden changed ${untouched ? 'nothing' : 'SOMETHING'}.`,
  ].join('\n');
}

const statusesOf = (statuses: Record<string, number>): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ');
