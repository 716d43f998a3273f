import { FileRefused } from '../../files/bytes.ts';
import { loadChunkAndHead } from '../../store/imports/claims.ts';
import type { DropService } from '../service.ts';
import type { Drop } from './state.ts';

/**
 * Most open chunks of a file: one that is applied, and one so that the worker need not wait for the next. The chunks of a
 * team are applied in the order of their acceptance, so this is how long another file or request waits for this one.
 */
const openChunksPerFile = 2;

/** Milliseconds between two looks at the chunk that must be closed first. It takes some hundred milliseconds. */
const lookEvery = 100;

/** The invocation ended before an earlier chunk of the file was closed. Reading continues at this chunk. */
export class NoCapacity extends Error {
  override readonly name = 'NoCapacity';
}

/**
 * Waits until the chunk may be sent.
 * @throws NoCapacity; FileRefused if an administrator has cancelled the batch
 */
export async function waitForCapacity(
  { database, wait }: DropService,
  { teamId, batchId }: Drop,
  index: number,
  hasTime: () => boolean,
): Promise<void> {
  if (index === 0) return;
  const earlier = Math.max(index - openChunksPerFile, 0);
  for (;;) {
    const { chunk, head } = await loadChunkAndHead(database, teamId, batchId, earlier);
    if (head.cancelled_at !== undefined) throw new FileRefused(cancelled);
    // A chunk without a valid row was not sent, so it has no claim.
    if (index < openChunksPerFile || chunk?.status !== 'open') return;
    if (!hasTime()) throw new NoCapacity();
    await wait(lookEvery);
  }
}

const cancelled = 'An administrator cancelled the import of the file. Rows that were applied before stay.';
