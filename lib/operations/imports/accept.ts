import type { Call } from '../../domain/access/caller.ts';
import type { AccountRecord } from '../../domain/accounts/account-record.ts';
import { type BatchAcceptance, type BatchRequest, maxRecordsPerChunk, type Pair } from '../../domain/imports/batch.ts';
import {
  type Chunk,
  canBeAcceptedAgain,
  importLane,
  mayExceedCap,
  type OrderCounter,
} from '../../domain/imports/chunk.ts';
import { Problem } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { acceptChunks, batchEntry, type ClaimState, countRepeat, loadClaimState } from '../../store/imports/claims.ts';
import { loadImportState } from '../../store/imports/import-work.ts';
import { payloadWrites } from '../../store/imports/payloads.ts';
import type { Upsert } from '../../store/table/database.ts';
import { chunkKey, uploadChunkKey } from '../../store/table/keys.ts';
import { conflictRounds, lostRace, untilWritten } from '../retry.ts';
import type { ImportService } from '../service.ts';
import { wake } from '../waiting-work/wake.ts';
import { redriveChunk } from './redrive.ts';

/** A request as it was received. If its pair was accepted before, the rest of the request is not validated. */
export type PostedBatch = {
  /** Set if the request names one. */
  pair: Pair | undefined;
  namesChunkCount: boolean;
  /** Digest of the records as they were sent. Called only if there is a pair. */
  digest(): string;
  /** @throws Problem with all errors of the request. */
  validate(): BatchRequest;
};

/**
 * Accepts a batch request. The records are accepted by one transaction, which writes claims, order numbers and entries
 * in the list of open chunks. Nothing that happens later undoes the acceptance.
 * @throws Problem of the validation; `conflict` if `chunk_count` differs from the batch's; `too_many_requests` at the
 * limit of open chunks; `unavailable` if the outcome is not known: it is safe to send the request again.
 */
export async function acceptBatch(service: ImportService, call: Call, posted: PostedBatch): Promise<BatchAcceptance> {
  const { teamId, clientId, requestId } = call;
  const claim = posted.pair && claimOf(teamId, posted.pair);
  let draft: Draft | undefined;
  const tryToAccept = async () => {
    const current = await loadClaimState(service.database, teamId, {
      claim,
      batchId: posted.namesChunkCount ? posted.pair?.batch_id : undefined,
    });
    if (current.chunk && !canBeAcceptedAgain(current.chunk))
      return repeat(service, call, current.chunk, current.counter, posted);
    draft ??= newDraft(service, teamId, posted);
    checkChunkCount(current, draft.request);
    const leftSeen = await leftBelowCap(service, teamId, current, draft.parts.length);
    await draft.store(service);
    if (!(await commit(service, teamId, { clientId, draft, current, leftSeen }))) return lostRace;
    await wake(service, importLane(teamId), { requestId });
    return acceptanceOf(draft.batchId, draft.request.chunk_index, draft.request.records.length, { duplicate: false });
  };
  return untilWritten(service, "too many conflicts on the team's order counter", tryToAccept, conflictRounds);
}

const claimOf = (teamId: string, { batch_id, chunk_index }: Pair) => ({
  batch_id,
  claim: chunkKey(teamId, batch_id, chunk_index).sk,
});

function acceptanceOf(
  batch_id: string,
  chunk_index: number | undefined,
  records: number,
  outcome: Pick<BatchAcceptance, 'duplicate' | 'same_records' | 'later_records' | 'redriven'>,
): BatchAcceptance {
  return { batch_id, type: 'account', chunk_index: chunk_index ?? null, records, status: 'accepted', ...outcome };
}

/** A pair of the service's own batch was accepted before with other records, or with another number of chunks. */
export class ForeignChunk extends Error {
  override readonly name = 'ForeignChunk';
}

/**
 * Accepts a chunk of one of the service's own batches, whose ids a client cannot use.
 * @throws ForeignChunk; as {@link acceptBatch}
 */
export async function acceptOwnChunk(
  service: ImportService,
  teamId: string,
  {
    pair,
    chunk_count,
    digest,
    records,
  }: Pick<PostedBatch, 'digest'> & {
    pair: Pair;
    chunk_count?: number | undefined;
    records: AccountRecord[];
  },
): Promise<void> {
  const { duplicate, same_records } = await acceptBatch(
    service,
    { teamId },
    {
      ...{ pair, digest, namesChunkCount: chunk_count !== undefined },
      validate: () => ({ type: 'account', ...pair, chunk_count, records }),
    },
  ).catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'conflict'
      ? new ForeignChunk(error.code, { cause: error })
      : error;
  });
  if (duplicate && !same_records) throw new ForeignChunk('other records');
}

/**
 * The pair was accepted before, so its records are kept. A failed chunk is redriven.
 * @returns `lostRace` if the chunk has changed since it was read
 */
async function repeat(
  service: ImportService,
  { requestId }: Call,
  chunk: Chunk,
  { last_order }: OrderCounter,
  posted: PostedBatch,
): Promise<BatchAcceptance | typeof lostRace> {
  const same_records = posted.digest() === chunk.digest;
  if (!same_records && !(await countRepeat(service.database, chunk))) return lostRace;
  const redriven = chunk.status === 'failed' && (await redriveChunk(service, chunk, requestId));
  // The first request may have crashed before it sent its wake.
  if (chunk.status === 'open') await wake(service, importLane(chunk.team_id), { requestId });
  return acceptanceOf(chunk.batch_id, chunk.index, chunk.records, {
    duplicate: true,
    same_records,
    ...(last_order > chunk.order ? { later_records: true } : {}),
    ...(redriven ? { redriven } : {}),
  });
}

type Part = { claim: string; index: number; payload_id: string; records: readonly AccountRecord[]; items: number };

/** A request that is being accepted. Its records are stored only once, even if the claims take several rounds. */
class Draft {
  readonly teamId: string;
  readonly request: BatchRequest;
  readonly batchId: string;
  readonly digest: string | undefined;
  readonly parts: Part[];
  #isStored = false;

  constructor(teamId: string, request: BatchRequest, batchId: string, digest: string | undefined, parts: Part[]) {
    this.teamId = teamId;
    this.request = request;
    this.batchId = batchId;
    this.digest = digest;
    this.parts = parts;
  }

  /** Writes the records to the table, and the batch to the team's list. */
  async store({ database, now, payloadDays: days }: ImportService): Promise<void> {
    if (this.#isStored) return;
    const at = now();
    const payloads = await Promise.all(
      this.parts.map(async (part) => {
        const writes = await payloadWrites(this.teamId, part.payload_id, part.records, { now: at, days });
        part.items = writes.length;
        return writes;
      }),
    );
    // With a chunk_count, the batch is listed in the transaction instead.
    const listEntry: Upsert[] =
      this.request.chunk_count === undefined ? [batchEntry(this.teamId, this.batchId, timestamp(at))] : [];
    await database.write([...payloads.flat(), ...listEntry]);
    this.#isStored = true;
  }
}

function newDraft({ now, newId }: ImportService, teamId: string, { validate, digest }: PostedBatch): Draft {
  const request = validate();
  const { chunk_index, records } = request;
  const batchId = request.batch_id ?? newId();
  if (chunk_index !== undefined) {
    const { sk: claim } = chunkKey(teamId, batchId, chunk_index);
    return new Draft(teamId, request, batchId, digest(), [
      { claim, index: chunk_index, payload_id: newId(), records, items: 0 },
    ]);
  }
  // A request without chunk_index is never a duplicate: the keys of its chunks contain a new upload id.
  const uploadId = `${timestamp(now())}#${newId()}`;
  const count = Math.ceil(records.length / maxRecordsPerChunk);
  const parts = Array.from({ length: count }, (_, index): Part => {
    const { sk: claim } = uploadChunkKey(teamId, batchId, uploadId, index);
    const part = records.slice(index * maxRecordsPerChunk, (index + 1) * maxRecordsPerChunk);
    return { claim, index, payload_id: newId(), records: part, items: 0 };
  });
  return new Draft(teamId, request, batchId, undefined, parts);
}

/** @throws Problem `conflict` if another chunk of the batch has named a different `chunk_count`. */
function checkChunkCount({ batch }: ClaimState, { chunk_count }: BatchRequest): void {
  if (chunk_count === undefined || batch?.chunk_count === undefined || batch.chunk_count === chunk_count) return;
  const message = `must be ${batch.chunk_count} as in an earlier chunk of this batch, not ${chunk_count}`;
  throw new Problem('conflict', [{ path: '/chunk_count', message }]);
}

/**
 * The team's `left`. It is read only if the counter alone does not show that the limit of open chunks is not reached.
 * @throws Problem `too_many_requests` if the limit would be exceeded.
 */
async function leftBelowCap(
  { database }: ImportService,
  teamId: string,
  { counter }: ClaimState,
  more: number,
): Promise<number> {
  if (!mayExceedCap(counter, more)) return counter.left_seen;
  const { left } = await loadImportState(database, teamId);
  if (mayExceedCap({ ...counter, left_seen: left }, more)) throw new Problem('too_many_requests');
  return left;
}

type Commit = { draft: Draft; current: ClaimState; leftSeen: number; clientId: string | undefined };

function commit(
  { database, now }: ImportService,
  teamId: string,
  { draft, current, leftSeen, clientId }: Commit,
): Promise<boolean> {
  const {
    request: { chunk_count },
    batchId,
    digest,
    parts,
  } = draft;
  const accepted_at = timestamp(now());
  const chunks = parts.map(
    ({ claim, index, payload_id, records, items }, position): Chunk => ({
      team_id: teamId,
      batch_id: batchId,
      claim,
      index,
      status: 'open',
      order: current.counter.last_order + 1 + position,
      payload_id,
      parts: items,
      records: records.length,
      ...(digest === undefined ? {} : { digest }),
      ...(clientId === undefined ? {} : { client_id: clientId }),
      accepted_at,
      // A pair that is accepted again has stood since it was accepted first.
      accepted_after: current.chunk?.accepted_after ?? current.stateVersion,
      ...(current.chunk?.repeated === undefined ? {} : { repeated: current.chunk.repeated }),
    }),
  );
  const isNewCount = chunk_count !== undefined && current.batch?.chunk_count === undefined;
  const count = isNewCount ? { chunk_count, now: accepted_at } : undefined;
  return acceptChunks(database, teamId, { chunks, current, leftSeen, count });
}
