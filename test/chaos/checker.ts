import { contactViolations } from './check-contacts.ts';
import { importViolations } from './check-imports.ts';
import type { HistoryEvent } from './history.ts';

/**
 * What the contract promises, as far as a history shows it. This file and those beside it know nothing of how the
 * service works: they judge by requests and responses alone.
 */
export type Law =
  /** Acknowledged, and not there. */
  | 'lost'
  /** Taken twice, or counted twice. */
  | 'doubled'
  /** No order of the writes that keeps to the times of their requests explains what is there. */
  | 'order'
  | 'counts'
  /** Failed although it was not broken off often enough. */
  | 'failed'
  | 'superseded'
  /** Still open at the end, or waited too long after the last fault. */
  | 'waiting'
  /** Two contacts of one `unique_id`, or two products of one code. */
  | 'twice'
  /** Of those who created a contact, none or several were told that they did. */
  | 'created'
  /** A read did not show what had been acknowledged before it. */
  | 'stale'
  /** There, though nobody sent it or its request was refused. */
  | 'invented'
  | 'status';

export type Violation = { law: Law; team: string; what: string };

export type MergeDecision = {
  violations: Violation[];
  /** Milliseconds between the last fault and the end of the last chunk that had to wait. */
  longestWait: number | undefined;
};

export const maxWaitMilliseconds = 120_000;
/** After a single fault. */
export const maxStallMilliseconds = 75_000;

export function judge(events: readonly HistoryEvent[]): MergeDecision {
  const teams = new Set(events.flatMap((event) => ('team' in event ? [event.team] : [])));
  const violations = [...teams].flatMap((team) => {
    const ofTeam = events.filter((event) => !('team' in event) || event.team === team);
    return [...importViolations(team, ofTeam), ...contactViolations(team, ofTeam)];
  });
  const waits = waitsIn(events);
  const tooLong = waits
    .filter(({ wait }) => wait > maxWaitMilliseconds)
    .map(({ team, batch, wait }): Violation => {
      return { law: 'waiting', team, what: `batch ${batch} ended ${Math.round(wait / 1000)} s after the last fault` };
    });
  return {
    violations: [
      ...violations,
      ...tooLong,
      ...stallViolations(events),
      ...startViolations(events),
      ...statusViolations(events),
    ],
    longestWait: waits.length > 0 ? Math.max(0, ...waits.map(({ wait }) => wait)) : undefined,
  };
}

/** By batch, how long after the last fault it was first seen to have ended. */
function waitsIn(events: readonly HistoryEvent[]): { team: string; batch: string; wait: number }[] {
  const calm = events.find((event) => event.kind === 'calm')?.at;
  if (calm === undefined) return [];
  const ended = new Map<string, { team: string; batch: string; wait: number }>();
  for (const event of events) {
    if (event.kind !== 'batch-read' || event.counts === undefined) continue;
    const { team, batch, end } = event;
    const key = `${team}/${batch}`;
    if (event.counts.status === 'processing') ended.delete(key);
    else if (!ended.has(key)) ended.set(key, { team, batch, wait: end - calm });
  }
  return [...ended.values()];
}

const stallViolations = (events: readonly HistoryEvent[]): Violation[] =>
  events.flatMap((event) =>
    event.kind === 'stall' && event.milliseconds > maxStallMilliseconds
      ? [{ law: 'waiting', team: '', what: `${event.cause} stalled a team for ${event.milliseconds} ms` }]
      : [],
  );

const startViolations = (events: readonly HistoryEvent[]): Violation[] =>
  events.flatMap((event) =>
    event.kind === 'start-failed'
      ? [{ law: 'waiting', team: '', what: `the service did not start by ${event.at}: ${event.output}` }]
      : [],
  );

const allowed = new Set([200, 201, 202, 404, 429, 502, 503, 504, null]);

function statusViolations(events: readonly HistoryEvent[]): Violation[] {
  const strange = new Map<string, number>();
  for (const event of events) {
    if (event.kind !== 'request' || allowed.has(event.status)) continue;
    const what = `${event.operation} responded ${event.status}`;
    strange.set(what, (strange.get(what) ?? 0) + 1);
  }
  return [...strange].map(([what, times]) => ({ law: 'status', team: '', what: `${what} (${times} times)` }));
}
