import { batchEnd, type NewEvent } from '../../domain/events/events.ts';
import {
  type EndedChunk,
  endedAt,
  endOfBatch,
  longerStart,
  showsProcessing,
  tellingIndexes,
  wasAcceptedBefore,
} from '../../domain/imports/batch-status.ts';
import type { ListedChunk } from '../../domain/imports/chunk.ts';
import type { ChunkEnd } from '../../store/events/item-changes.ts';
import { type BatchHead, hasUploads, loadBatch, loadChunk, loadChunks, saveStart } from '../../store/imports/claims.ts';
import { loadWork } from '../../store/imports/import-work.ts';
import type { Database } from '../../store/table/database.ts';

/** Number of open chunks that are looked at before the claims of a batch are read. */
const listedAtOnce = 12;
/** Number of items of a batch that are read before a few of its claims are looked at. */
const startOfBatch = 20;
/** Number of completed chunks by which the start of a batch grows before its sums are kept. */
const startGrowth = 20;

/**
 * Returns the event of a batch if it ended with this chunk. Chunks that one transaction cancels give the same event, each
 * if all of them are visible: so the last one that becomes visible always gives it.
 */
export type BatchEndOf = (change: ChunkEnd) => Promise<NewEvent | undefined>;

/**
 * Reads the open chunks and the claims of each batch once. A batch can have a million claims, so all of a long one are read
 * only if neither an open chunk nor a few of its claims show that it has not ended. Without a `chunk_count`, the sums of
 * its first chunks are kept, and only the claims after these are read.
 */
export function batchEnds(database: Database, teamId: string): BatchEndOf {
  const listed = once(() => loadWork(database, teamId, listedAtOnce).then((work) => work.open));
  const start = byKey((batchId: string) => loadBatch(database, teamId, batchId, startOfBatch));
  const whole = byKey((batchId: string) => loadBatch(database, teamId, batchId));
  /** The claims of a batch without a chunk_count that are not in the sums of its start. */
  const rest = byKey(async (batchId: string) => {
    const { start: known } = (await start(batchId)).head;
    const { chunks } = known ? await loadBatch(database, teamId, batchId, undefined, known.to) : await whole(batchId);
    const longer = longerStart(chunks, known);
    if (longer.to >= (known?.to ?? 0) + startGrowth) await saveStart(database, teamId, batchId, longer);
    return { chunks };
  });
  const uploads = byKey((batchId: string) => hasUploads(database, teamId, batchId));
  const claim = byKey((chunk: ListedChunk) => loadChunk(database, teamId, chunk));
  const isProcessing = async (ending: EndedChunk, { chunk_count }: BatchHead) => {
    // The chunks of a request without chunk_index count too, under indexes that are not in their keys.
    if (await uploads(ending.batch_id)) return false;
    const chunks = await loadChunks(database, teamId, ending.batch_id, tellingIndexes(ending, chunk_count));
    return chunks.some((chunk) => showsProcessing(chunk, ending, chunk_count !== undefined));
  };
  return async ({ ending }) => {
    const open = (await listed()).find((chunk) => wasOpenAtEnd(chunk, ending));
    // The list may not show yet that this chunk was cancelled in the same transaction, although its claim does.
    const isOpen = open && (ending.status !== 'cancelled' || (await claim(open))?.status === 'open');
    if (isOpen) return undefined;
    const { isWhole, ...read } = await start(ending.batch_id);
    if (!isWhole && (await isProcessing(ending, read.head))) return undefined;
    const { chunk_count: expected, start: summed } = read.head;
    const isSummed = !isWhole && expected === undefined && (summed?.ended ?? 0) < endedAt(ending);
    const { chunks } = isWhole ? read : await (isSummed ? rest : whole)(ending.batch_id);
    const end = endOfBatch(ending, chunks, { expected, start: isSummed ? summed : undefined });
    if (!end) return undefined;
    const { order, closed_at, digest, index, status } = end.last;
    const chunk_index = digest === undefined ? undefined : index;
    return batchEnd(end.status, { order, closed_at, chunk_index, status });
  };
}

/** A cancelled chunk stays in the list until the worker skips it. */
const wasOpenAtEnd = (chunk: ListedChunk, ending: EndedChunk): boolean =>
  chunk.batch_id === ending.batch_id &&
  !chunk.cancelled &&
  chunk.claim !== ending.claim &&
  wasAcceptedBefore(chunk, { ...ending, ended: endedAt(ending) });

/** Loads the value of each key once. */
function byKey<Key, Value>(load: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const loaded = new Map<Key, Promise<Value>>();
  return (key) => {
    const value = loaded.get(key) ?? load(key);
    loaded.set(key, value);
    return value;
  };
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  const loaded = byKey(load);
  return () => loaded(undefined);
}
