import * as z from 'zod';
import { type CompletedStart, completedStart } from '../../domain/imports/batch-status.ts';
import { type Chunk, type ChunkRef, newOrderCounter, type OrderCounter } from '../../domain/imports/chunk.ts';
import { isRemovalBatchId } from '../../domain/imports/own-batch.ts';
import { all, type Database, type Page, pages, readAll, readOne, type Write } from '../table/database.ts';
import {
  batchIdOfListKey,
  batchKey,
  batchListKey,
  batchListPartition,
  batchPartition,
  chunkKey,
  claimKey,
  importStateKey,
  isBatchKey,
  orderCounterKey,
  uploadChunkPrefix,
} from '../table/keys.ts';
import { itemReader, storedTime, storedVersion } from '../table/stored-item.ts';
import { chunkOf, listEntry } from './chunk-items.ts';

/** Claims, one item for each accepted chunk, which never expire; and the item that the chunks of a batch share. */

const counterOf = itemReader('order counter', z.object({ last_order: z.int(), left_seen: z.int() }));

const versionOf = itemReader('import state', z.object({ version: storedVersion }));

const batchSchema = z.object({
  chunk_count: z.number().optional(),
  cancelled_at: storedTime.optional(),
  start: completedStart.optional(),
});
/** The attributes that the chunks of a batch share. */
export type BatchHead = z.output<typeof batchSchema>;
const headOf = itemReader('batch', batchSchema);

const listedBatch = itemReader('batch in the list of batches', z.object({ directory_sk: z.string() }));

export const loadChunk = (database: Database, teamId: string, { batch_id, claim }: ChunkRef) =>
  readOne(database, claimKey(teamId, batch_id, claim), chunkOf);

/** The chunk with this index of a batch, and the attributes that the batch's chunks share: one round trip. */
export async function loadChunkAndHead(
  database: Database,
  teamId: string,
  batchId: string,
  index: number,
): Promise<{ chunk: Chunk | undefined; head: BatchHead }> {
  const [chunk, head] = await database.get([chunkKey(teamId, batchId, index), batchKey(teamId, batchId)]);
  return { chunk: chunk && chunkOf(chunk), head: head ? headOf(head) : {} };
}

/** True if chunks of the batch were sent without a `chunk_index`. */
export async function hasUploads(database: Database, teamId: string, batchId: string): Promise<boolean> {
  const { items } = await database.query({
    pk: batchPartition(teamId, batchId),
    prefix: uploadChunkPrefix,
    limit: 1,
  });
  return items.length > 0;
}

/** The chunks of a batch with these indexes, in the same order; `undefined` if none was accepted. */
export const loadChunks = (database: Database, teamId: string, batchId: string, indexes: readonly number[]) =>
  readAll(
    database,
    indexes.map((index) => chunkKey(teamId, batchId, index)),
    chunkOf,
  );

/** Marks the batch of a dropped file, so that the rest of the file is not read. */
export async function markCancelled(database: Database, teamId: string, batchId: string, at: string): Promise<void> {
  await database.write([{ kind: 'update', key: batchKey(teamId, batchId), set: { cancelled_at: at }, expect: {} }]);
}

/** Keeps the sums of the first chunks of a batch. It has no condition, because sums that were kept are never wrong. */
export async function saveStart(database: Database, teamId: string, batchId: string, start: CompletedStart) {
  await database.write([{ kind: 'update', key: batchKey(teamId, batchId), set: { start }, expect: {} }]);
}

/** Counts a repeat of the pair with other records. @returns false if the chunk has changed since it was read. */
export const countRepeat = (
  database: Database,
  { team_id, batch_id, claim, order, repeated }: Chunk,
): Promise<boolean> =>
  database.transact([
    {
      ...{ kind: 'update', key: claimKey(team_id, batch_id, claim) },
      ...{ set: { repeated: (repeated ?? 0) + 1 }, expect: { order, repeated } },
    },
  ]);

/** The stored values that decide whether chunks can be accepted. */
export type ClaimState = {
  /** The claim of the pair, if the pair was accepted before. */
  chunk: Chunk | undefined;
  counter: OrderCounter;
  isFirst: boolean;
  /** The version of the team's import state. */
  stateVersion: number;
  /** Read only if the caller passed a `batchId`. */
  batch: BatchHead | undefined;
};

/** Reads the team's counter, its import state and, if they are named, the claim and the batch item: one round trip. */
export async function loadClaimState(
  database: Database,
  teamId: string,
  { claim, batchId }: { claim?: ChunkRef | undefined; batchId?: string | undefined },
): Promise<ClaimState> {
  const keys = [
    orderCounterKey(teamId),
    importStateKey(teamId),
    ...(claim ? [claimKey(teamId, claim.batch_id, claim.claim)] : []),
    ...(batchId === undefined ? [] : [batchKey(teamId, batchId)]),
  ];
  const [counter, state, ...others] = await database.get(keys);
  const batch = batchId === undefined ? undefined : others.pop();
  const [chunk] = others;
  return {
    chunk: chunk && chunkOf(chunk),
    counter: counter ? counterOf(counter) : newOrderCounter,
    isFirst: counter === undefined,
    stateVersion: state ? versionOf(state).version : 0,
    batch: batch && headOf(batch),
  };
}

/** Adds a new batch to the team's list. Written before the batch's first chunk is accepted. */
export const batchEntry = (teamId: string, batchId: string, now: string, head: BatchHead = {}) =>
  ({
    kind: 'insert',
    item: { ...batchKey(teamId, batchId), ...head, ...batchListKey(teamId, batchId, now) },
  }) as const;

export type Acceptance = {
  chunks: readonly Chunk[];
  current: ClaimState;
  /** The last known value of `left` in the team's import state. */
  leftSeen: number;
  /** Set if this request is the first to give `chunk_count`. `now` is the time under which a new batch is listed. */
  count?: { chunk_count: number; now: string } | undefined;
};

/**
 * Accepts all chunks or none, under consecutive order numbers. One transaction writes the team's counter, the claims,
 * the entries in the list of open chunks and, if the batch has none yet, its `chunk_count`.
 * @returns false if one of these items has changed since it was read: read and decide again.
 */
export function acceptChunks(database: Database, teamId: string, acceptance: Acceptance): Promise<boolean> {
  const { chunks, current, leftSeen, count } = acceptance;
  const claims = chunks.map((chunk) => claimWrite(chunk, current.chunk));
  const writes = [
    counterWrite(teamId, acceptance, { last_order: chunks.at(-1)!.order, left_seen: leftSeen }),
    ...claims,
    ...chunks.map((chunk) => listEntry('OPEN', chunk)),
    ...(count ? [countWrite(teamId, chunks[0]!.batch_id, current, count)] : []),
  ];
  // A conflict on the counter means that another request is taking this order number.
  return database.transact(writes, { losesConflicts: true });
}

function counterWrite(teamId: string, { current }: Acceptance, next: OrderCounter): Write {
  const key = orderCounterKey(teamId);
  if (current.isFirst) return { kind: 'insert', item: { ...key, ...next } };
  return { kind: 'update', key, set: next, expect: { last_order: current.counter.last_order } };
}

/** Writes a claim. If a discarded or cancelled chunk has the same claim, every attribute of that chunk is replaced. */
function claimWrite({ claim, ...attributes }: Chunk, previous: Chunk | undefined): Write {
  const key = claimKey(attributes.team_id, attributes.batch_id, claim);
  if (!previous) return { kind: 'insert', item: { ...key, ...attributes } };
  const cleared = Object.fromEntries(Object.keys(previous).map((name) => [name, undefined]));
  const { claim: _, ...set } = { ...cleared, ...attributes, claim };
  const { order, status, repeated } = previous;
  return { kind: 'update', key, set, expect: { order, status, repeated } };
}

function countWrite(
  teamId: string,
  batchId: string,
  { batch }: ClaimState,
  { chunk_count, now }: NonNullable<Acceptance['count']>,
): Write {
  if (!batch) return batchEntry(teamId, batchId, now, { chunk_count });
  return {
    kind: 'update',
    key: batchKey(teamId, batchId),
    set: { chunk_count },
    expect: { chunk_count: undefined },
  };
}

/**
 * The chunks of a batch in the order of their claims, and the attributes that they share.
 * @param limit of the items that are read; `isWhole` is false if there can be more
 * @param from the index of the first chunk to read. The head is not read then
 */
export async function loadBatch(
  database: Database,
  teamId: string,
  batchId: string,
  limit?: number,
  from?: number,
): Promise<{ chunks: Chunk[]; head: BatchHead; isWhole: boolean }> {
  const query = {
    pk: batchPartition(teamId, batchId),
    ...(from === undefined ? {} : { from: chunkKey(teamId, batchId, from).sk }),
  };
  const { items, next }: Page =
    limit === undefined ? { items: await all(database, query) } : await database.query({ ...query, limit });
  const head = items.find(isBatchKey);
  return {
    chunks: items.filter((item) => !isBatchKey(item)).map(chunkOf),
    head: head ? headOf(head) : {},
    isWhole: next === undefined,
  };
}

/**
 * A page of the ids of a team's batches, newest first, and the position after which the next page starts.
 * @param isListed false for batches that are passed over: by default the removals, which are nobody's batch
 */
export async function listBatchIds(
  database: Database,
  teamId: string,
  limit: number,
  after?: string,
  isListed: (batchId: string) => boolean = (batchId) => !isRemovalBatchId(batchId),
): Promise<{ ids: string[]; next?: string }> {
  const sorts: string[] = [];
  // One item more than the page shows whether there is another page.
  const entries = pages(database, {
    pk: batchListPartition(teamId),
    index: 'directory',
    descending: true,
    limit: limit + 1,
    ...(after === undefined ? {} : { after }),
  });
  for await (const page of entries) {
    const found = page.map((item) => listedBatch(item).directory_sk);
    for (const sort of found) if (isListed(batchIdOfListKey(sort))) sorts.push(sort);
    if (sorts.length > limit) break;
  }
  const ids = sorts.slice(0, limit).map(batchIdOfListKey);
  const last = sorts[limit - 1];
  return sorts.length > limit && last !== undefined ? { ids, next: last } : { ids };
}
