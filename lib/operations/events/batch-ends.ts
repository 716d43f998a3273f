import { type EndedChunk, statusAtEnd, wasAcceptedBefore } from '../../domain/batch-status.ts';
import { batchEnd, type NewEvent } from '../../domain/events.ts';
import { loadBatch } from '../../store/claims.ts';
import type { Database } from '../../store/database.ts';
import { loadWork } from '../../store/import-work.ts';
import type { ChunkEnd, ItemChange } from '../../store/item-changes.ts';

/** Number of open chunks that are looked at before the claims of a batch are read. */
const listedAtOnce = 12;

/** Returns the event of a batch if it ended with this chunk. */
export type BatchEndOf = (change: ChunkEnd & Pick<ItemChange, 'at'>) => Promise<NewEvent | undefined>;

/** Reads the open chunks and the claims of each batch once. */
export function batchEnds(database: Database, teamId: string): BatchEndOf {
  const read = {
    open: once(() => loadWork(database, teamId, listedAtOnce).then((work) => work.open)),
    batch: new Map<string, ReturnType<typeof loadBatch>>(),
  };
  const batch = (batchId: string) => {
    const loaded = read.batch.get(batchId) ?? loadBatch(database, teamId, batchId);
    read.batch.set(batchId, loaded);
    return loaded;
  };
  return async ({ batchId, ending: stored, at }) => {
    const closed_at = stored.closed_at ?? at;
    const ending: EndedChunk = { ...stored, closed_at };
    // A cancelled chunk stays in the list until the worker skips it.
    const open = (await read.open()).filter(({ batch_id, cancelled }) => batch_id === batchId && !cancelled);
    if (open.some((chunk) => chunk.claim !== ending.claim && wasAcceptedBefore(chunk, ending))) return undefined;
    const { chunks, head } = await batch(batchId);
    const status = statusAtEnd(ending, chunks, head.chunk_count);
    const chunk_index = ending.digest === undefined ? undefined : ending.index;
    return status && batchEnd(status, { order: ending.order, closed_at, chunk_index });
  };
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
