import { type Chunk, importLane, redrive } from '../../domain/imports/chunk.ts';
import { commitTransitions, loadChunkAndState } from '../../store/imports/import-work.ts';
import { releasePayload } from '../../store/imports/payloads.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { ImportService } from '../service.ts';
import { wake } from '../waiting-work/wake.ts';

/**
 * Puts a failed chunk back in the list of open chunks, at its old place in the order, and wakes the worker.
 * @returns false if the chunk is no longer failed.
 */
export async function redriveChunk(service: ImportService, failed: Chunk, requestId?: string): Promise<boolean> {
  const { database, now } = service;
  return untilWritten(service, 'too many conflicts on the chunk', async () => {
    const { chunk, state } = await loadChunkAndState(database, failed);
    if (chunk?.status !== 'failed' || chunk.order !== failed.order) return false;
    const { change, state: after } = redrive(chunk, state, now());
    const payload = await releasePayload(database, chunk, { now: now(), days: service.payloadDays });
    if (!(await commitTransitions(database, [{ chunk, change }], state, after, payload))) return lostRace;
    await wake(service, importLane(chunk.team_id), { requestId });
    return true;
  });
}
