/**
 * The life of one chunk of a batch, from its acceptance to its end, and of the team's import state beside it. Every
 * transition is a pure function from what was read to what is to be written; `lib/store/claims.ts` commits the two
 * together under their versions, so that status, order and counts never drift apart.
 */
export type ChunkStatus = 'open' | 'completed' | 'failed' | 'discarded';

/** What came of a chunk's records; over a completed chunk the four add up to its records. */
export type RecordCounts = { applied: number; unchanged: number; superseded: number; rejected: number };

/** A record that could not be stored; `record` counts within its chunk, from zero. */
export type Rejection = { record: number; message: string };

/** A chunk's name within its team: the partition of its batch, and its own place there. */
export type ChunkRef = { batch_id: string; claim: string };

export type Chunk = ChunkRef & {
  team_id: string;
  /** `chunk_index`, or the place within an upload that came without one. */
  index: number;
  status: ChunkStatus;
  /** Names the stored records; fresh for every acceptance, so a late attempt cannot close a later acceptance. */
  payload_id: string;
  /** Items that the stored records are cut into. */
  parts: number;
  records: number;
  accepted_at: string;
  attempts: number;
  /** The team's order number, given at the first attempt and kept for good. */
  order?: number | undefined;
  counts?: RecordCounts | undefined;
  rejections?: Rejection[] | undefined;
  failure?: string | undefined;
  closed_at?: string | undefined;
  /** When its message was last handed to the queue; written on its own, outside of `version`. */
  handed_over_at?: string | undefined;
  version: number;
};

export type ImportState = {
  team_id: string;
  last_order: number;
  /** The chunk that was last begun and had not ended then. */
  in_work?: ChunkRef | undefined;
  /** Chunks of the team that stand failed. */
  failed: number;
  /** Changes of a `unique_id` by an administrator. */
  renames: number;
  /** Until then judged items are stamped although no chunk stands failed: a discarded one may still be at work. */
  guarded_until?: string | undefined;
  version: number;
};

export const newImportState = (teamId: string): ImportState => ({
  team_id: teamId,
  last_order: 0,
  failed: 0,
  renames: 0,
  version: 0,
});

export type Transition = { state: ImportState; chunks: Chunk[] };

/** Attempts that a hand-over has before its chunk is marked failed. */
export const maxAttempts = 5;
/** As many as a chunk has records, so that each that was rejected can be told. */
const maxRejections = 500;
const guardAfterDiscard = 3_600_000;

export const isEnded = (chunk: Chunk): boolean => chunk.status === 'completed' || chunk.status === 'discarded';

export const sameChunk = (a: ChunkRef | undefined, b: ChunkRef): boolean =>
  a?.batch_id === b.batch_id && a.claim === b.claim;

const refOf = ({ batch_id, claim }: Chunk): ChunkRef => ({ batch_id, claim });

/**
 * Counts an attempt and gives the chunk its order number, once. The queue hands over a team's chunks one at a time, so
 * a chunk before it that is still open has lost its message: it is marked failed in the same step.
 */
export function beginAttempt(chunk: Chunk, state: ImportState, previous: Chunk | undefined): Transition {
  const order = chunk.order ?? state.last_order + 1;
  const begun = { ...chunk, order, attempts: chunk.attempts + 1 };
  const last_order = Math.max(state.last_order, order);
  const next = { ...state, last_order, ...(chunk.status === 'open' ? { in_work: refOf(chunk) } : {}) };
  if (previous?.status !== 'open' || sameChunk(previous, chunk)) return { state: next, chunks: [begun] };
  const failed = { ...previous, status: 'failed' as const, failure: 'its message was lost before it was completed' };
  return { state: { ...next, failed: next.failed + 1 }, chunks: [begun, failed] };
}

export type ChunkResult = { counts: RecordCounts; rejections: Rejection[] };

/** Completes a chunk that is open or failed. */
export function complete(chunk: Chunk, state: ImportState, result: ChunkResult, now: string): Transition {
  const closed = {
    ...chunk,
    status: 'completed' as const,
    counts: result.counts,
    rejections: result.rejections.slice(0, maxRejections),
    closed_at: now,
    failure: undefined,
  };
  return { state: leave(chunk, state), chunks: [closed] };
}

/** Marks an open chunk failed; its records stay until it is redriven or discarded. */
export function fail(chunk: Chunk, state: ImportState, reason: string): Transition {
  const left = leave(chunk, state);
  return {
    state: { ...left, failed: left.failed + 1 },
    chunks: [{ ...chunk, status: 'failed', failure: reason }],
  };
}

/** Gives up a failed chunk for good. An attempt of it may still be at work, so judged items stay guarded for a while. */
export function discard(chunk: Chunk, state: ImportState, now: number): Transition {
  return {
    state: { ...leave(chunk, state), guarded_until: new Date(now + guardAfterDiscard).toISOString() },
    chunks: [{ ...chunk, status: 'discarded', closed_at: new Date(now).toISOString() }],
  };
}

/** Longer than a request lives: an open chunk without a note by then was forgotten by whoever accepted it. */
const forgottenAfter = 40_000;
/** Longer than any backlog lasts: a message handed over before that is lost. */
const lostAfter = 12 * 3_600_000;

/** Whether the sweeper is to hand the chunk over: it never was, or so long ago that its message must be lost. */
export function wantsHandOver(chunk: Chunk, now: number): boolean {
  if (chunk.status !== 'open') return false;
  const { handed_over_at, accepted_at } = chunk;
  if (handed_over_at === undefined) return Date.parse(accepted_at) <= now - forgottenAfter;
  return Date.parse(handed_over_at) <= now - lostAfter;
}

/** The order in which open chunks are handed over anew: those already begun first, then as they were accepted. */
export const byTurn = (a: Chunk, b: Chunk): number =>
  (a.order ?? Number.POSITIVE_INFINITY) - (b.order ?? Number.POSITIVE_INFINITY) ||
  (a.accepted_at < b.accepted_at ? -1 : a.accepted_at > b.accepted_at ? 1 : a.index - b.index);

/** The state without the chunk in work, if it was, and without its failure, if it had failed. */
function leave(chunk: Chunk, state: ImportState): ImportState {
  const in_work = sameChunk(state.in_work, chunk) ? undefined : state.in_work;
  return { ...state, in_work, failed: state.failed - (chunk.status === 'failed' ? 1 : 0) };
}

/**
 * Whether every judged item is stamped, even an unchanged one: while a chunk of the team stands failed, so that its
 * redrive cannot overwrite what a later chunk confirmed.
 */
export const isGuarded = (state: ImportState, now: string): boolean =>
  state.failed > 0 || (state.guarded_until !== undefined && now < state.guarded_until);
