import { readFileSync } from 'node:fs';
import { judge, type MergeDecision, type Violation } from './checker.ts';
import type { HistoryEvent } from './history.ts';

export type ChaosReport = {
  seed: number;
  replay: string;
  history: string;
  /** By operation and status; `none` if there was no response. */
  requests: Record<string, Record<string, number>>;
  /** By part and kind. */
  faults: Record<string, number>;
  kills: { service: number; engine: number };
  restarts: number;
  failed_starts: number;
  chunks_taken: number;
  contact_writes_taken: number;
  /** Starts and answers. */
  journey_writes_taken: number;
  failed_chunks: number;
  /** Different events that a reader found at the end. */
  events_told: number;
  longest_wait_milliseconds: number | null;
  /** By cause, the longest. */
  stalls_milliseconds: Record<string, number>;
  violations: Violation[];
};

/** `options` are those of the command, without the seed. */
export function reportOf(
  options: string,
  { seed, history }: { seed: number; history: string },
  events: readonly HistoryEvent[],
  judgement: MergeDecision,
): ChaosReport {
  const requests: ChaosReport['requests'] = {};
  const faults: ChaosReport['faults'] = {};
  const stalls: Record<string, number> = {};
  const taken = new Set<string>();
  const told = new Set<string>();
  const count = { service: 0, engine: 0, starts: 0, failedStarts: 0, failedChunks: 0 };
  for (const event of events) {
    if (event.kind === 'request') {
      requests[event.operation] ??= {};
      add(requests[event.operation]!, String(event.status ?? 'none'));
    }
    if (event.kind === 'fault') add(faults, `${event.part}: ${event.fault}`);
    if (event.kind === 'attempt' && event.status !== null && event.status < 300) taken.add(event.write);
    if (event.kind === 'event-read' && event.final) told.add(event.event.id);
    if (event.kind === 'stall') stalls[event.cause] = Math.max(stalls[event.cause] ?? 0, event.milliseconds);
    if (event.kind === 'death') count[event.of]++;
    if (event.kind === 'restart') count.starts++;
    if (event.kind === 'start-failed') count.failedStarts++;
    if (event.kind === 'batch-read' && event.final) count.failedChunks += event.counts?.chunks.failed ?? 0;
  }
  const takenOf = (letter: string) => [...taken].filter((write) => write.startsWith(letter)).length;
  return {
    seed,
    replay: `node test/chaos/run.ts --seed ${seed} ${options}`,
    history,
    requests,
    faults,
    kills: { service: count.service, engine: count.engine },
    // The first start is not counted as a restart.
    restarts: count.starts - 1,
    failed_starts: count.failedStarts,
    chunks_taken: takenOf('c'),
    contact_writes_taken: takenOf('w'),
    journey_writes_taken: takenOf('a'),
    failed_chunks: count.failedChunks,
    events_told: told.size,
    longest_wait_milliseconds: judgement.longestWait === undefined ? null : Math.round(judgement.longestWait),
    stalls_milliseconds: stalls,
    violations: judgement.violations,
  };
}

/** The report of a history that was kept, as its checks find it now. */
export function replayed(history: string): ChaosReport {
  const lines = readFileSync(history, 'utf8').trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line) as HistoryEvent);
  const { seed, options } = events.find((event) => event.kind === 'run') ?? { seed: 0, options: '' };
  return reportOf(options, { seed, history }, events, judge(events));
}

function add(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

const shownViolations = 40;

export function textOf(report: ChaosReport): string {
  const rows = (counts: Record<string, number | string>) => {
    const width = Math.max(...Object.keys(counts).map((key) => key.length));
    return Object.entries(counts).map(([key, value]) => `  ${key.padEnd(width)}  ${value}`);
  };
  const statuses = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([status, times]) => `${status}: ${times}`)
      .join('  ');
  const requests = Object.entries(report.requests).map(([operation, counts]) => [operation, statuses(counts)]);
  const { longest_wait_milliseconds: wait, violations } = report;
  const shown = violations.slice(0, shownViolations).map(({ law, what }) => `  ${law}: ${what}`);
  return [
    'Requests, by status',
    ...rows(Object.fromEntries(requests)),
    'Faults injected',
    ...rows(report.faults),
    'Run',
    ...rows({
      'kills of the service': report.kills.service,
      'kills of the database': report.kills.engine,
      restarts: report.restarts,
      'starts that failed': report.failed_starts,
      'chunks taken': report.chunks_taken,
      'contact writes taken': report.contact_writes_taken,
      'journey starts and answers taken': report.journey_writes_taken,
      'chunks failed': report.failed_chunks,
      'events told': report.events_told,
      'longest wait after the last fault': wait === null ? 'none' : `${(wait / 1000).toFixed(1)} s`,
    }),
    ...(Object.keys(report.stalls_milliseconds).length > 0
      ? ['Waits for a single fault, milliseconds', ...rows(report.stalls_milliseconds)]
      : []),
    `Violations: ${violations.length}`,
    ...shown,
    ...(violations.length > shown.length ? [`  … and ${violations.length - shown.length} more`] : []),
    `History: ${report.history}`,
    `Again:   ${report.replay}`,
  ].join('\n');
}
