import { contactViolations } from './check-contacts.ts';
import { eventViolations } from './check-events.ts';
import { importViolations } from './check-imports.ts';
import { journeyViolations } from './check-journeys.ts';
import type { HistoryEvent } from './history.ts';

/**
 * Checks the guarantees of the contract in a history. The checker does not depend on the implementation: it uses only
 * requests and responses.
 */
export type Law =
  /** An acknowledged write is missing. */
  | 'lost'
  /** A write was applied or counted twice. */
  | 'doubled'
  /** No order of the writes that is consistent with the times of their requests explains the stored state. */
  | 'order'
  | 'counts'
  /** A chunk failed after too few interrupted attempts. */
  | 'failed'
  | 'superseded'
  /** A chunk is still open at the end, or waited too long after the last fault. */
  | 'waiting'
  /** Two contacts with the same `unique_id`, or two products with the same code. */
  | 'twice'
  /** Not exactly one of the creators of a contact got a 201. */
  | 'created'
  /** A read did not return a write that was acknowledged before it. */
  | 'stale'
  /** A stored value was never sent, or its request was rejected. */
  | 'invented'
  | 'status';

export type Violation = { law: Law; team: string; what: string };

export type Judgement = {
  violations: Violation[];
  /** Milliseconds between the last fault and the end of the last chunk that had to wait. */
  longestWait: number | undefined;
};

export const maxWaitMilliseconds = 120_000;

export function judge(events: readonly HistoryEvent[]): Judgement {
  const teams = new Set(events.flatMap((event) => ('team' in event ? [event.team] : [])));
  const violations = [...teams].flatMap((team) => {
    const ofTeam = events.filter((event) => !('team' in event) || event.team === team);
    return [importViolations, contactViolations, journeyViolations, eventViolations].flatMap((violationsOf) =>
      violationsOf(team, ofTeam),
    );
  });
  const waits = waitsIn(events);
  const tooLong = waits
    .filter(({ wait }) => wait > maxWaitMilliseconds)
    .map(({ team, batch, wait }): Violation => {
      return { law: 'waiting', team, what: `batch ${batch} ended ${Math.round(wait / 1000)} s after the last fault` };
    });
  return {
    violations: [...violations, ...tooLong, ...startViolations(events), ...statusViolations(events)],
    longestWait: waits.length > 0 ? Math.max(0, ...waits.map(({ wait }) => wait)) : undefined,
  };
}

/** For each batch, the time between the last fault and the first read that showed it ended. */
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

const startViolations = (events: readonly HistoryEvent[]): Violation[] =>
  events.flatMap((event) =>
    event.kind === 'start-failed'
      ? [{ law: 'waiting', team: '', what: `the service did not start by ${event.at}: ${event.output}` }]
      : [],
  );

const allowed = new Set([200, 201, 202, 204, 404, 429, 502, 503, 504, null]);

function statusViolations(events: readonly HistoryEvent[]): Violation[] {
  const strange = new Map<string, number>();
  for (const event of events) {
    if (event.kind !== 'request' || allowed.has(event.status)) continue;
    const what = `${event.operation} responded ${event.status}`;
    strange.set(what, (strange.get(what) ?? 0) + 1);
  }
  return [...strange].map(([what, times]) => ({ law: 'status', team: '', what: `${what} (${times} times)` }));
}
