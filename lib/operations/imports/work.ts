import { type AccountRecord, mergedTooLarge } from '../../domain/account.ts';
import {
  beginAttempt,
  type Chunk,
  type ChunkRef,
  type ChunkResult,
  complete,
  fail,
  type ImportState,
  isEnded,
  isGuarded,
  maxAttempts,
  sameChunk,
} from '../../domain/chunk.ts';
import { resultOf } from '../../domain/judgement.ts';
import { commitTransition, loadChunk, loadChunkAndState } from '../../store/claims.ts';
import { StoreUnavailable } from '../../store/database.ts';
import { keepPayload, loadPayload, releasePayload } from '../../store/payloads.ts';
import type { HandOver } from '../../store/queue.ts';
import { applyRecords, derivedIds, storedIds, type Work } from './apply.ts';
import { type ImportDependencies, maxRounds, timestamp } from './dependencies.ts';

export type WorkOutcome = 'completed' | 'failed' | 'nothing to do';

/**
 * One attempt at the chunk that a message names. Safe whenever, and however often, it is delivered: what is decided is
 * decided in the table.
 * @throws whatever kept the attempt from its end; the message is to be delivered again.
 */
export async function workChunk(dependencies: ImportDependencies, message: HandOver): Promise<WorkOutcome> {
  const begun = await begin(dependencies, message);
  if (begun === undefined) return 'nothing to do';
  if (begun.chunk.attempts - message.attempts > maxAttempts) {
    return failChunk(dependencies, begun.chunk, `given up after ${maxAttempts} attempts`);
  }
  const records = await loadPayload(dependencies.database, begun.chunk);
  if (!Array.isArray(records)) return failChunk(dependencies, begun.chunk, 'its stored records cannot be read');
  return work(dependencies, begun, records as AccountRecord[]);
}

type Begun = { chunk: Chunk; state: ImportState };

async function begin(dependencies: ImportDependencies, message: HandOver): Promise<Begun | undefined> {
  const { database } = dependencies;
  for (let round = 0; round < maxRounds; round++) {
    const { chunk, state } = await loadChunkAndState(database, message.team_id, message);
    if (!chunk || isEnded(chunk) || chunk.payload_id !== message.payload_id) return undefined;
    const previous = await chunkInWork(dependencies, message.team_id, state, chunk);
    if (previous?.status === 'open') await keepPayload(database, previous);
    const next = beginAttempt(chunk, state, previous);
    const [begun, failed] = next.chunks as [Chunk, Chunk?];
    const changed = [{ before: chunk, after: begun }, ...(failed ? [{ before: previous!, after: failed }] : [])];
    if (await commitTransition(database, changed, { before: state, after: next.state })) {
      return {
        chunk: { ...begun, version: chunk.version + 1 },
        state: { ...next.state, version: state.version + 1 },
      };
    }
  }
  throw new StoreUnavailable('the claim is contended');
}

/** The chunk that was begun before this one, when it is another and has not been seen to end. */
async function chunkInWork(
  { database }: ImportDependencies,
  teamId: string,
  { in_work }: ImportState,
  chunk: ChunkRef,
): Promise<Chunk | undefined> {
  return in_work && !sameChunk(in_work, chunk) ? loadChunk(database, teamId, in_work) : undefined;
}

/** Applies the records and closes the claim; they are judged once more when a contact was renamed meanwhile. */
async function work(dependencies: ImportDependencies, begun: Begun, records: AccountRecord[]): Promise<WorkOutcome> {
  const { chunk } = begun;
  let { state } = begun;
  const job: Work = {
    teamId: chunk.team_id,
    order: chunk.order!,
    guarded: isGuarded(state, timestamp(dependencies.now())),
    records,
  };
  for (let round = 0; round < maxRounds; round++) {
    const contactIdOf = state.renames > 0 ? await storedIds(dependencies, job) : derivedIds(job.teamId);
    // An attempt that was overtaken must not link whoever has been given a value since the chunk was completed.
    if (state.renames > 0 && !(await isAtWork(dependencies, chunk))) return 'nothing to do';
    const outcomes = await applyRecords(dependencies, job, contactIdOf);
    const closed = await close(dependencies, chunk, state, resultOf(outcomes, mergedTooLarge));
    if (closed === 'closed') return 'completed';
    state = closed;
  }
  throw new StoreUnavailable('the claim is contended');
}

async function isAtWork({ database }: ImportDependencies, worked: Chunk): Promise<boolean> {
  const chunk = await loadChunk(database, worked.team_id, worked);
  return chunk?.payload_id === worked.payload_id && !isEnded(chunk);
}

/** Completes the chunk; when a contact was renamed since `begun`, gives the newer state instead. */
async function close(
  { database, now }: ImportDependencies,
  worked: Chunk,
  begun: ImportState,
  result: ChunkResult,
): Promise<'closed' | ImportState> {
  let current: { chunk: Chunk | undefined; state: ImportState } = { chunk: worked, state: begun };
  for (let round = 0; round < maxRounds; round++) {
    const { chunk, state } = current;
    if (!chunk || isEnded(chunk) || chunk.payload_id !== worked.payload_id) return 'closed';
    if (state.renames !== begun.renames) return state;
    const next = complete(chunk, state, result, timestamp(now()));
    const chunks = next.chunks.map((after) => ({ before: chunk, after }));
    if (await commitTransition(database, chunks, { before: state, after: next.state })) {
      if (chunk.status === 'failed') await releasePayload(database, chunk, now());
      return 'closed';
    }
    current = await loadChunkAndState(database, worked.team_id, worked);
  }
  throw new StoreUnavailable('the claim is contended');
}

/** Marks the chunk failed if it is still open; a redriven one stands failed already and stays so. */
export async function failChunk(
  { database }: Pick<ImportDependencies, 'database'>,
  { team_id, batch_id, claim, payload_id }: Pick<Chunk, 'team_id' | 'batch_id' | 'claim' | 'payload_id'>,
  reason: string,
): Promise<WorkOutcome> {
  for (let round = 0; round < maxRounds; round++) {
    const { chunk, state } = await loadChunkAndState(database, team_id, { batch_id, claim });
    if (chunk?.payload_id !== payload_id || isEnded(chunk)) return 'nothing to do';
    if (chunk.status === 'failed') return 'failed';
    await keepPayload(database, chunk);
    const next = fail(chunk, state, reason);
    const chunks = next.chunks.map((after) => ({ before: chunk, after }));
    if (await commitTransition(database, chunks, { before: state, after: next.state })) return 'failed';
  }
  throw new StoreUnavailable('the claim is contended');
}
