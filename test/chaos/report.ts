import type { Judgement } from './checker.ts';
import type { HistoryEvent } from './history.ts';

const shownViolations = 40;

/** What happened in a run, and what violates the guarantees, as text. */
export function reportOf(events: readonly HistoryEvent[], { violations, longestWait: wait }: Judgement): string {
  const taken = new Set(
    events.flatMap((event) =>
      event.kind === 'attempt' && event.status !== null && event.status < 300 ? [event.write] : [],
    ),
  );
  const takenOf = (letter: string) => [...taken].filter((write) => write.startsWith(letter)).length;
  const told = events.flatMap((event) => (event.kind === 'event-read' && event.final ? [event.event.id] : []));
  const failed = events.flatMap((event) =>
    event.kind === 'batch-read' && event.final ? [event.counts?.chunks.failed ?? 0] : [],
  );
  const count = (isCounted: (event: HistoryEvent) => boolean) => events.filter(isCounted).length;
  const requests = Map.groupBy(
    events.filter((event) => event.kind === 'request'),
    ({ operation }) => operation,
  );
  const faults = events.flatMap((event) => (event.kind === 'fault' ? [`${event.part}: ${event.fault}`] : []));
  const shown = violations.slice(0, shownViolations).map(({ law, what }) => `  ${law}: ${what}`);
  return [
    'Requests, by status',
    ...rows([...requests].map(([operation, sent]) => [operation, countsOf(sent.map(({ status }) => `${status}`))])),
    'Faults injected',
    ...rows([...Map.groupBy(faults, (fault) => fault)].map(([fault, all]) => [fault, all.length])),
    'Run',
    ...rows([
      ['kills of the service', count((event) => event.kind === 'death' && event.of === 'service')],
      ['kills of the database', count((event) => event.kind === 'death' && event.of === 'engine')],
      ['chunks taken', takenOf('c')],
      ['contact writes taken', takenOf('w')],
      ['journey starts and answers taken', takenOf('a')],
      ['chunks failed', failed.reduce((sum, each) => sum + each, 0)],
      ['events told', new Set(told).size],
      ['longest wait after the last fault', wait === undefined ? 'none' : `${(wait / 1000).toFixed(1)} s`],
    ]),
    `Violations: ${violations.length}`,
    ...shown,
    ...(violations.length > shown.length ? [`  … and ${violations.length - shown.length} more`] : []),
  ].join('\n');
}

const countsOf = (names: readonly string[]): string =>
  [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${name}: ${all.length}`).join('  ');

function rows(counts: readonly (readonly [name: string, value: number | string])[]): string[] {
  const width = Math.max(...counts.map(([name]) => name.length));
  return counts.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
}
