import * as z from 'zod';
import { timestamp } from '../values/timestamp.ts';
import { type Lane, type WaitingLane, wakeAfter } from '../waiting-work/lane.ts';

/**
 * The states of a chunk of a batch, and the import state of its team. Every transition is a pure function from what was
 * read to what must be written. The store writes the change of the chunk, the import state and the lists of open and
 * failed chunks in one transaction, so that status, order and counts are always consistent.
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
 * The pair of a cancelled or discarded chunk may be accepted again, with a new order number.
 */
export const chunkStatuses = ['open', 'completed', 'failed', 'discarded', 'cancelled'] as const;
export type ChunkStatus = (typeof chunkStatuses)[number];

/** The outcomes of the records of a chunk. For a completed chunk, the four add up to its number of records. */
const recordCounts = z.object({
  applied: z.number(),
  unchanged: z.number(),
  superseded: z.number(),
  rejected: z.number(),
});
export type RecordCounts = z.output<typeof recordCounts>;

/** A record that could not be stored. `record` is its index in the chunk, from zero. */
const rejection = z.object({ record: z.number(), message: z.string() });
export type Rejection = z.output<typeof rejection>;

/** The part of a chunk that is set at acceptance and never changes. The worker needs only this. */
const acceptedChunk = z.object({
  team_id: z.string(),
  batch_id: z.string(),
  /** The sort key of its claim. */
  claim: z.string(),
  /** Order number: the place in the team's order of acceptance. Each acceptance has its own. */
  order: z.int(),
  /** `chunk_index`, or the position in a request without one. */
  index: z.number(),
  /** Id of the payload, the stored records. */
  payload_id: z.string(),
  /** Number of items that the payload is split into. */
  parts: z.number(),
  records: z.number(),
  accepted_at: z.string(),
  /**
   * The version of the import state that was read before the acceptance: what has ended with a version up to this one had
   * ended by then, whatever the clocks of two instances say.
   */
  accepted_after: z.int(),
});
export type AcceptedChunk = z.output<typeof acceptedChunk>;

/** Identifies a chunk within its team. */
export type ChunkRef = Pick<AcceptedChunk, 'batch_id' | 'claim'>;

/** An entry of the team's list of open chunks. A cancelled chunk stays in the list until the worker skips it. */
export const listedChunk = acceptedChunk.extend({ cancelled: z.boolean().optional() });
export type ListedChunk = z.output<typeof listedChunk>;

export const chunkSchema = acceptedChunk.extend({
  status: z.enum(chunkStatuses),
  /** Only with a pair: digest of the records in the request. It is the same for equal JSON values in the same order. */
  digest: z.string().optional(),
  /** How often its pair was sent again with other records, which were ignored. */
  repeated: z.int().optional(),
  /** The client that sent it. A dropped file has none. */
  client_id: z.string().optional(),
  counts: recordCounts.optional(),
  rejections: z.array(rejection).optional(),
  failure: z.string().optional(),
  /** Number of attempts when the chunk failed. */
  attempts: z.number().optional(),
  /** When it left the state `open`, or was discarded. */
  closed_at: z.string().optional(),
  /** Set when it leaves the state `open`: the version of the import state. It gives the order of such changes in a team. */
  ended: z.int().optional(),
  /** Set if it was failed and is not any more, although it was not put back: the version of the import state. */
  settled: z.int().optional(),
});
export type Chunk = z.output<typeof chunkSchema>;

/** The import state of a team. Accepting chunks never writes it, but a repeated request can redrive a failed chunk. */
export const importState = z.object({
  /** The highest order number that was ever begun. No attempt was made at open chunks above it. */
  begun: z.number(),
  /** Number of attempts at the chunk that was begun last, and why the last one that failed did. */
  attempt: z.object({ order: z.number(), count: z.number(), reason: z.string().optional() }).optional(),
  /** Number of chunks that left the list of open chunks, minus those that were put back. */
  left: z.number(),
  /** Number of failed chunks. */
  failed: z.number(),
  /** Number of changes of a `unique_id` by an administrator. */
  renames: z.number(),
  /** Set by a redrive and a discard: until this time, items are guarded although no chunk is failed. */
  guarded_until: z.string().optional(),
  /** The highest order number that was ever cancelled. */
  cancelled_to: z.int().optional(),
  /** Time at which a worker last began or closed a chunk. */
  active_at: z.string().optional(),
  version: z.int(),
});
export type ImportState = z.output<typeof importState>;

export const newImportState: ImportState = { begun: 0, left: 0, failed: 0, renames: 0, version: 0 };

/** Milliseconds that items stay guarded after a redrive or discard. */
const guardTime = 3_600_000;

const guardFrom = (now: number): string => timestamp(now + guardTime);

/**
 * True if every item must be stamped, also unchanged ones. This is so while a chunk of the team is failed, and for an
 * hour after a redrive or discard, so that a failed chunk cannot overwrite what a later chunk confirmed.
 */
export const isGuarded = ({ failed, guarded_until }: ImportState, now: number): boolean =>
  failed > 0 || (guarded_until !== undefined && now < Date.parse(guarded_until));

/** Attempts at a chunk before it is marked failed. */
export const maxAttempts = 5;
/** Most open chunks of a team (contract, section 5). */
export const maxOpenChunks = 10_000;
/** As many as a chunk has records, so that each rejected record can be named. */
const maxRejections = 500;

/** The change of a chunk in a transition. An attribute that is `undefined` is removed. */
export type ChunkChange = Partial<
  Pick<Chunk, 'status' | 'counts' | 'rejections' | 'failure' | 'attempts' | 'closed_at' | 'ended' | 'settled'>
>;
export type Transition = { change: ChunkChange; state: ImportState };

/** True if the pair may be accepted again. */
export const canBeAcceptedAgain = ({ status }: Chunk): boolean => status === 'discarded' || status === 'cancelled';
/** True if an attempt may still complete the chunk. */
export const isUnfinished = ({ status }: Pick<Chunk, 'status'>): boolean => status === 'open' || status === 'failed';

const attemptAt = ({ attempt }: ImportState, { order }: Pick<AcceptedChunk, 'order'>) =>
  attempt?.order === order ? attempt : undefined;

export const attemptsAt = (state: ImportState, chunk: Pick<AcceptedChunk, 'order'>): number =>
  attemptAt(state, chunk)?.count ?? 0;

/** Why the chunk is failed after its last attempt. A function that is killed leaves no reason. */
export const givenUp = (state: ImportState, chunk: Pick<AcceptedChunk, 'order'>): string => {
  const reason = attemptAt(state, chunk)?.reason;
  return `given up after ${maxAttempts} attempts${reason === undefined ? '' : `: ${reason}`}`;
};

/** Keeps the reason why an attempt failed. */
export function noteReason(state: ImportState, chunk: Pick<AcceptedChunk, 'order'>, reason: string): ImportState {
  const attempt = attemptAt(state, chunk);
  return attempt ? { ...state, attempt: { ...attempt, reason } } : state;
}

/** Counts an attempt. Chunks are begun in order, so the highest number shows which chunks were ever begun. */
export function begin(state: ImportState, { order }: Pick<AcceptedChunk, 'order'>, now: string): ImportState {
  const attempt = { ...attemptAt(state, { order }), order, count: attemptsAt(state, { order }) + 1 };
  return { ...state, begun: Math.max(state.begun, order), attempt, active_at: now };
}

/** Removes the attempt from the count, because the chunk did not cause it to end. */
export function uncountAttempt(state: ImportState, { order }: Pick<AcceptedChunk, 'order'>): ImportState {
  const count = Math.max(attemptsAt(state, { order }) - 1, 0);
  return { ...state, attempt: { ...attemptAt(state, { order }), order, count } };
}

export type ChunkResult = { counts: RecordCounts; rejections: Rejection[] };

/** The version of the import state that is written together with the chunk. */
const endOf = ({ version }: ImportState): number => version + 1;

/** Completes a chunk that is open or failed. The first attempt that completes it wins. */
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
      ...(status === 'failed' ? { settled: endOf(state) } : { ended: endOf(state) }),
    },
    state:
      status === 'failed'
        ? { ...state, failed: state.failed - 1, active_at: now }
        : { ...state, left: state.left + 1, active_at: now },
  };
}

/** Marks an open chunk as failed. Its records are kept until it is redriven or discarded. */
export function fail(chunk: AcceptedChunk, state: ImportState, reason: string, now: string): Transition {
  return {
    change: {
      ...{ status: 'failed', failure: reason, attempts: attemptsAt(state, chunk) },
      ...{ closed_at: now, ended: endOf(state) },
    },
    state: { ...state, failed: state.failed + 1, left: state.left + 1, active_at: now },
  };
}

/**
 * Puts a failed chunk back into the list of open chunks, at its old place in the order, and resets its attempts. Items
 * are guarded for another hour, because a worker may begin a later chunk before it sees this one in the list.
 */
export function redrive(chunk: AcceptedChunk, state: ImportState, now: number): Transition {
  const { attempt, ...kept } = state;
  return {
    // Not `order`: the chunk keeps its place, so `mergeRecords` leaves the items alone that a later chunk has stamped.
    change: { status: 'open', failure: undefined, attempts: undefined, closed_at: undefined, ended: undefined },
    state: {
      ...kept,
      ...(attempt?.order === chunk.order ? {} : { attempt }),
      failed: state.failed - 1,
      left: state.left - 1,
      guarded_until: guardFrom(now),
    },
  };
}

/** Discards a failed chunk. An attempt at it may still be running, so items are guarded for another hour. */
export function discard(state: ImportState, now: number, closedAt: string): Transition {
  return {
    change: { status: 'discarded', closed_at: closedAt, settled: endOf(state) },
    state: { ...state, failed: state.failed - 1, guarded_until: guardFrom(now) },
  };
}

/**
 * True if the chunk can be cancelled: it is open, and no attempt was ever begun, so none of its records are applied.
 */
export const isCancellable = ({ status, order }: Chunk, { begun }: ImportState): boolean =>
  status === 'open' && order > begun;

export const cancellation = (state: ImportState, closedAt: string): ChunkChange => ({
  status: 'cancelled',
  closed_at: closedAt,
  ended: endOf(state),
});

/** Written together with the cancelled chunks. A worker that has one of them in its list then reads the list again. */
export function recordCancellation(state: ImportState, chunks: readonly AcceptedChunk[]): ImportState {
  const cancelled_to = chunks.reduce((last, { order }) => Math.max(last, order), state.cancelled_to ?? 0);
  return { ...state, cancelled_to };
}

/**
 * True if a chunk that is listed as open may be cancelled: a query can see the import state that a transaction wrote, and
 * not yet the entry of the chunk. Such a chunk is begun on the condition that its entry is not cancelled.
 */
export const mayBeCancelled = (
  { order }: Pick<AcceptedChunk, 'order'>,
  { cancelled_to = 0 }: Pick<ImportState, 'cancelled_to'>,
): boolean => order <= cancelled_to;

/** Skips the cancelled chunks at the start of the list. */
export function skip(state: ImportState, passed: readonly ListedChunk[]): ImportState {
  const begun = passed.reduce((last, { order }) => Math.max(last, order), state.begun);
  return { ...state, begun, left: state.left + passed.length };
}

/**
 * Milliseconds after which a missing order number is treated as lost, as it can be after a restore. This is twice the
 * time limit of a request, because a request sets `accepted_at` before it commits its transaction.
 */
const missingFor = 60_000;

/**
 * Selects the chunks of the list that a worker may process now: the cancelled chunks to skip if the list begins with
 * these, else the chunks to work on. Order numbers have no gaps, but a query may see a later part of a transaction
 * before an earlier one. Chunks after a gap therefore wait until the gap has closed.
 */
export function workable(
  listed: readonly ListedChunk[],
  state: Pick<ImportState, 'begun'>,
  now: number,
): { toSkip: ListedChunk[]; toWork: ListedChunk[] } {
  let next = state.begun + 1;
  let end = 0;
  for (const { order, accepted_at } of listed) {
    if (order > next && Date.parse(accepted_at) > now - missingFor) break;
    next = Math.max(next, order + 1);
    end++;
  }
  const visible = listed.slice(0, end);
  const isSkipped = visible[0]?.cancelled ?? false;
  const change = visible.findIndex(({ cancelled = false }) => cancelled !== isSkipped);
  const first = change === -1 ? visible : visible.slice(0, change);
  return isSkipped ? { toSkip: first, toWork: [] } : { toSkip: [], toWork: first };
}

/** The lane of a team's chunks. */
export const importLane = (team_id: string): Lane => ({ work: 'imports', team_id });

/** The lane with its oldest open chunk. A worker that has begun or closed a chunk recently is still at work. */
export const waitingImports = (
  { team_id, accepted_at }: Pick<AcceptedChunk, 'team_id' | 'accepted_at'>,
  { active_at = accepted_at }: Pick<ImportState, 'active_at'>,
): WaitingLane => {
  const since = Date.parse(accepted_at);
  return { lane: importLane(team_id), since, wakeAt: Math.max(since, Date.parse(active_at)) + wakeAfter };
};

/** The counter of a team's accepted chunks, which assigns the order numbers. Only acceptance writes it. */
export type OrderCounter = {
  last_order: number;
  /** The value of `left` when it was last read. There are never more open chunks than `last_order` minus this. */
  left_seen: number;
};

export const newOrderCounter: OrderCounter = { last_order: 0, left_seen: 0 };

/** True if `more` chunks could exceed the cap on open chunks, as far as the counter alone shows. */
export const mayExceedCap = ({ last_order, left_seen }: OrderCounter, more: number): boolean =>
  last_order + more - left_seen > maxOpenChunks;
