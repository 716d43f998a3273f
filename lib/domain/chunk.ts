import { timestamp } from './timestamp.ts';

/**
 * The life of one chunk of a batch, and the state of its team's imports beside it. Every transition here is a pure
 * function from what was read to what is to be written. The store commits a chunk's change, the team's state and the
 * team's lists of open and failed chunks in one transaction, so that status, order and counts never disagree.
 *
 *                                complete
 *     accept ──▶ open ───────────────────────────▶ completed
 *                │ │▲                                  ▲
 *         cancel │ ││ redrive                          │ complete: an attempt that was still running
 *                │ ▼│                                  │
 *                │ failed ─────────────────────────────┘
 *                ▼    │ discard
 *        cancelled    └──────────▶ discarded
 *
 * The pair of a cancelled or discarded chunk may be accepted anew, under a new order number.
 */
export const chunkStatuses = ['open', 'completed', 'failed', 'discarded', 'cancelled'] as const;
export type ChunkStatus = (typeof chunkStatuses)[number];

/** What became of a chunk's records; of a completed chunk the four add up to its records. */
export type RecordCounts = { applied: number; unchanged: number; superseded: number; rejected: number };

/** A record that could not be stored; `record` counts within its chunk, from zero. */
export type Rejection = { record: number; message: string };

/** Identifies a chunk within its team: its batch, and the sort key of its claim. */
export type ChunkRef = { batch_id: string; claim: string };

/** What acceptance fixes, and the worker needs. */
export type AcceptedChunk = ChunkRef & {
  team_id: string;
  /** Place in the team's order of acceptance. Fresh for each acceptance, so it identifies one. */
  order: number;
  /** `chunk_index`, or the position within a request that came without one. */
  index: number;
  /** Names the stored records. */
  payload_id: string;
  /** Items that the stored records are split into. */
  parts: number;
  records: number;
  accepted_at: string;
};

/** An entry of the team's list of open chunks. One that was cancelled stays there until the worker passes it. */
export type ListedChunk = AcceptedChunk & { cancelled?: boolean | undefined };

export type Chunk = AcceptedChunk & {
  status: ChunkStatus;
  /** Of a pair: digest of the records as they were sent, equal for equal JSON values in the same order. */
  digest?: string | undefined;
  counts?: RecordCounts | undefined;
  rejections?: Rejection[] | undefined;
  failure?: string | undefined;
  /** Attempts that the chunk had when it failed. */
  attempts?: number | undefined;
  closed_at?: string | undefined;
};

/** The team's imports as the worker keeps them; acceptance never writes this. */
export type ImportState = {
  /** The highest order number that was ever begun. Open chunks above it have never been worked. */
  begun: number;
  /** Attempts at the chunk that was begun last. */
  attempt?: { order: number; count: number } | undefined;
  /** Chunks that have left the list of open ones, less those that were put back. */
  left: number;
  /** Chunks that stand failed. */
  failed: number;
  /** Changes of a `unique_id` by an administrator. */
  renames: number;
  /** Until then judged items are stamped although no chunk stands failed: a discarded one may still be at work. */
  guarded_until?: string | undefined;
  /** The last cancellation: when it was, and the highest order number that was ever cancelled. */
  cancelled?: { at: string; to: number } | undefined;
  /** When a worker last began or closed a chunk. */
  active_at?: string | undefined;
  version: number;
};

export const newImportState: ImportState = { begun: 0, left: 0, failed: 0, renames: 0, version: 0 };

/** Attempts that a chunk gets before it is marked failed. */
export const maxAttempts = 5;
/** Open chunks that a team may have (contract, section 5). */
export const maxOpenChunks = 10_000;
/** As many as a chunk has records, so that each rejected record can be named. */
const maxRejections = 500;
/** Milliseconds. */
const guardTime = 3_600_000;

/** What a transition changes in a chunk; an attribute that is `undefined` is removed. */
export type ChunkChange = Partial<
  Pick<Chunk, 'status' | 'counts' | 'rejections' | 'failure' | 'attempts' | 'closed_at'>
>;
export type Transition = { change: ChunkChange; state: ImportState };

/** Whether the pair may be accepted anew. */
export const canBeAcceptedAgain = ({ status }: Chunk): boolean => status === 'discarded' || status === 'cancelled';
/** Whether an attempt at the chunk may still complete it. */
export const isUnfinished = ({ status }: Pick<Chunk, 'status'>): boolean => status === 'open' || status === 'failed';

export const attemptsAt = ({ attempt }: ImportState, { order }: Pick<AcceptedChunk, 'order'>): number =>
  attempt?.order === order ? attempt.count : 0;

/** Counts an attempt. Chunks are begun in their order, so one number tells which have ever been. */
export function begin(state: ImportState, { order }: Pick<AcceptedChunk, 'order'>, now: string): ImportState {
  const attempt = { order, count: attemptsAt(state, { order }) + 1 };
  return { ...state, begun: Math.max(state.begun, order), attempt, active_at: now };
}

/** Takes the attempt off the count again: what ended it says nothing against the chunk. */
export function uncountAttempt(state: ImportState, { order }: Pick<AcceptedChunk, 'order'>): ImportState {
  return { ...state, attempt: { order, count: Math.max(attemptsAt(state, { order }) - 1, 0) } };
}

export type ChunkResult = { counts: RecordCounts; rejections: Rejection[] };

/** Completes a chunk that is open or failed; the first attempt to do so wins. */
export function complete(
  { status }: Pick<Chunk, 'status'>,
  state: ImportState,
  { counts, rejections }: ChunkResult,
  now: string,
): Transition {
  return {
    change: {
      status: 'completed',
      counts,
      rejections: rejections.length > 0 ? rejections.slice(0, maxRejections) : undefined,
      failure: undefined,
      attempts: undefined,
      closed_at: now,
    },
    state:
      status === 'failed'
        ? { ...state, failed: state.failed - 1, active_at: now }
        : { ...state, left: state.left + 1, active_at: now },
  };
}

/** Marks an open chunk failed. Its records stay until it is redriven or discarded. */
export function fail(chunk: AcceptedChunk, state: ImportState, reason: string, now: string): Transition {
  return {
    change: { status: 'failed', failure: reason, attempts: attemptsAt(state, chunk) },
    state: { ...state, failed: state.failed + 1, left: state.left + 1, active_at: now },
  };
}

/**
 * Puts a failed chunk back among the open ones, at its old place in the order, with all its attempts. Judged items stay
 * guarded for an hour, since a later chunk may be begun before everybody sees this one in the list.
 */
export function redrive(chunk: AcceptedChunk, state: ImportState, now: number): Transition {
  const { attempt, ...kept } = state;
  return {
    change: { status: 'open', failure: undefined, attempts: undefined },
    state: {
      ...kept,
      ...(attempt?.order === chunk.order ? {} : { attempt }),
      failed: state.failed - 1,
      left: state.left - 1,
      guarded_until: guardFrom(now),
    },
  };
}

/** Gives up a failed chunk for good. An attempt at it may still be running, so judged items stay guarded for an hour. */
export function discard(state: ImportState, now: number, closedAt: string): Transition {
  return {
    change: { status: 'discarded', closed_at: closedAt },
    state: { ...state, failed: state.failed - 1, guarded_until: guardFrom(now) },
  };
}

const guardFrom = (now: number): string => timestamp(now + guardTime);

/** Whether a chunk can be cancelled: it is open and no attempt at it was ever begun, so none of it was applied. */
export const isCancellable = ({ status, order }: Chunk, { begun }: ImportState): boolean =>
  status === 'open' && order > begun;

export const cancellation = (closedAt: string): ChunkChange => ({ status: 'cancelled', closed_at: closedAt });

/** Beside the chunks that are cancelled: a worker that has one of them on its list looks again. */
export function recordCancellation(state: ImportState, chunks: readonly AcceptedChunk[], now: string): ImportState {
  const to = Math.max(state.cancelled?.to ?? 0, ...chunks.map(({ order }) => order));
  return { ...state, cancelled: { at: now, to } };
}

/** Passes the cancelled chunks that stand first in the list. */
export function skip(state: ImportState, passed: readonly ListedChunk[]): ImportState {
  const begun = Math.max(state.begun, ...passed.map(({ order }) => order));
  return { ...state, begun, left: state.left + passed.length };
}

/** Milliseconds after which everybody sees all of a transaction, with much to spare. */
const visibleAfter = 5_000;

/** Whether the chunk may be a cancelled one of which only the state can be seen yet. */
const mayBeCancelled = (chunk: ListedChunk, { cancelled }: Pick<ImportState, 'cancelled'>, now: number): boolean =>
  cancelled !== undefined &&
  !chunk.cancelled &&
  chunk.order <= cancelled.to &&
  now < Date.parse(cancelled.at) + visibleAfter;

/**
 * Milliseconds after which a number that is missing from the list is taken to be gone for good, as after a restore:
 * twice the time of a request, which notes `accepted_at` before its transaction is committed.
 */
const missingFor = 60_000;

/**
 * What can be worked of a team's open chunks as they were listed: first the cancelled ones to pass, else the chunks to
 * work. Numbers are given without gaps, but a query may see a later part of a transaction before an earlier one; what
 * stands behind a gap waits until the gap has closed, and after a cancellation what it may concern waits for a moment.
 */
export function workable(
  listed: readonly ListedChunk[],
  state: Pick<ImportState, 'begun' | 'cancelled'>,
  now: number,
): { toSkip: ListedChunk[]; toWork: ListedChunk[] } {
  let next = state.begun + 1;
  let end = 0;
  for (const chunk of listed) {
    const { order, accepted_at } = chunk;
    if (order > next && Date.parse(accepted_at) > now - missingFor) break;
    if (mayBeCancelled(chunk, state, now)) break;
    next = Math.max(next, order + 1);
    end++;
  }
  const visible = listed.slice(0, end);
  const isOther = (chunk: ListedChunk) => (chunk.cancelled ?? false) !== (visible[0]?.cancelled ?? false);
  const change = visible.findIndex(isOther);
  const first = change === -1 ? visible : visible.slice(0, change);
  return visible[0]?.cancelled ? { toSkip: first, toWork: [] } : { toSkip: [], toWork: first };
}

/**
 * Whether every judged item is stamped, even an unchanged one: while a chunk of the team stands failed, so that its
 * redrive cannot overwrite what a later chunk confirmed.
 */
export const isGuarded = ({ failed, guarded_until }: ImportState, now: number): boolean =>
  failed > 0 || (guarded_until !== undefined && now < Date.parse(guarded_until));

/**
 * Milliseconds after which an open chunk of an idle team counts as forgotten. With the sweeper's minute it is picked
 * up within 75 seconds (contract, section 5).
 */
const forgottenAfter = 10_000;

/** Whether the team is to be woken: its oldest open chunk waits, and no worker has begun or closed a chunk lately. */
export function needsWake({ accepted_at }: AcceptedChunk, { active_at }: ImportState, now: number): boolean {
  const since = now - forgottenAfter;
  return Date.parse(accepted_at) <= since && (active_at === undefined || Date.parse(active_at) <= since);
}

/** Milliseconds after which somebody is to be told that a team's chunks wait. */
const lateAfter = 30 * 60_000;

export const isLate = ({ accepted_at }: AcceptedChunk, now: number): boolean =>
  Date.parse(accepted_at) <= now - lateAfter;

/** The team's count of accepted chunks, which gives each its order number. Acceptance alone writes it. */
export type OrderCounter = {
  last_order: number;
  /** The team's `left` when it was last looked at: open chunks are never more than `last_order` less this. */
  left_seen: number;
};

export const newOrderCounter: OrderCounter = { last_order: 0, left_seen: 0 };

/** Whether the cap on open chunks could be reached by so many more, as far as the counter alone can tell. */
export const mayExceedCap = ({ last_order, left_seen }: OrderCounter, more: number): boolean =>
  last_order + more - left_seen > maxOpenChunks;
