/**
 * Work that waits. The table holds it in lanes, a message only wakes the worker of a lane, and a sweep repairs what was
 * lost. Imports, completions, webhooks, targeting and messages all wait like this. The law:
 *
 * - Nothing that waits is forgotten. Two minutes after the last fault, the work has been done, or a worker does it.
 * - A lane has one worker at a time: its messages form one FIFO group, and the messages of a group are received one after
 *   another. If two workers meet all the same, their conditional writes decide.
 * - A message names a lane, and nothing else. It may be lost, late or doubled.
 * - An outage uses up no attempt.
 * - Defective work is set aside alone, with its reason. The rest of the lane goes on.
 * - A repeat finds the work done.
 *
 * Which work comes first, and what an attempt or a cursor is, is a matter of each subject.
 */
export const kindsOfWork = ['imports', 'completions', 'webhooks', 'targeting', 'walks', 'messages'] as const;
export type KindOfWork = (typeof kindsOfWork)[number];

/**
 * A team has one lane of most kinds, which has no `id`. It has a lane of webhooks for each webhook, its id, and some lanes
 * of targeting, which are numbered.
 */
export type Lane = { work: KindOfWork; team_id: string; id?: string | undefined };

/** The message group of a lane. */
export const groupOf = ({ work, team_id, id }: Lane): string =>
  [team_id, work, id].filter((part) => part !== undefined).join('#');

/** A lane that holds work which can be done now. A lane that is paused is not among those that wait. */
export type WaitingLane = {
  lane: Lane;
  /** When its oldest work was stored, in milliseconds since the epoch. Absent if its age is of no concern. */
  since?: number | undefined;
  /** The sweep wakes the lane from this time on. */
  wakeAt: number;
};

/**
 * Milliseconds that a wake or a worker may take until the sweep wakes the lane. The sweep runs every minute, so the work is
 * picked up within 75 seconds (contract, section 5).
 */
export const wakeAfter = 10_000;

/** Milliseconds that work may wait before an alarm goes off. */
const lateAfter = 30 * 60_000;

export const isLate = ({ since }: Pick<WaitingLane, 'since'>, now: number): boolean =>
  since !== undefined && since <= now - lateAfter;

/** Whole seconds since the oldest work of the lane was stored. */
export const secondsWaited = ({ since = Number.POSITIVE_INFINITY }: Pick<WaitingLane, 'since'>, now: number): number =>
  Math.max(0, Math.floor((now - since) / 1000));
