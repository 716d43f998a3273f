import { type AcceptedChunk, type Chunk, discard } from '../../../../lib/domain/imports/chunk.ts';
import { notFound } from '../../../../lib/domain/values/problem.ts';
import { byTime, timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { lostRace, untilWritten } from '../../../../lib/operations/retry.ts';
import type { Service, Settings } from '../../../../lib/operations/service.ts';
import { commitTransitions, loadChunkAndState, loadFailed } from '../../../../lib/store/imports/import-work.ts';
import { releasePayload } from '../../../../lib/store/imports/payloads.ts';
import { listTeamIds } from '../../../../lib/store/teams/teams.ts';

/** The failed chunks of one team or of all teams, oldest first. */
export async function listFailed({ database }: Pick<Service, 'database'>, teamId?: string): Promise<Chunk[]> {
  const failed: Chunk[][] = [];
  const teams = teamId === undefined ? await listTeamIds(database) : [teamId];
  for (const team of teams) failed.push(await loadFailed(database, team));
  return failed.flat().sort((a, b) => byTime(a.accepted_at, b.accepted_at));
}

/**
 * Discards a failed chunk permanently. Its pair can then be accepted again.
 * @throws Problem `not_found` if the chunk is no longer failed.
 */
export async function discardFailed(
  service: Service & Pick<Settings, 'payloadDays'>,
  failed: AcceptedChunk,
): Promise<void> {
  const { database, now, payloadDays: days } = service;
  await untilWritten(service, 'too many conflicts on the chunk', async () => {
    const { chunk, state } = await loadChunkAndState(database, failed);
    if (chunk?.status !== 'failed' || chunk.order !== failed.order) throw notFound();
    const { change, state: after } = discard(state, now(), timestamp(now()));
    const payload = await releasePayload(database, chunk, { now: now(), days });
    return (await commitTransitions(database, [{ chunk, change }], state, after, payload)) ? undefined : lostRace;
  });
}
