import type { ImportDependencies } from './dependencies.ts';

/**
 * Wakes the team's worker. The work is stored in the table, so a lost wake only delays it. False if it was not sent.
 */
export async function wake(
  { queue, onLostWake, requestId }: Pick<ImportDependencies, 'queue' | 'onLostWake' | 'requestId'>,
  teamId: string,
): Promise<boolean> {
  try {
    await queue.wake(teamId, requestId);
    return true;
  } catch (error) {
    onLostWake(teamId, error);
    return false;
  }
}
