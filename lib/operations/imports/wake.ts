import type { ImportDependencies } from './dependencies.ts';

/** Wakes the team's worker. What it is to do stands in the table, so a wake that is lost changes nothing but the time. */
export async function wake(
  { queue, onLostWake }: Pick<ImportDependencies, 'queue' | 'onLostWake'>,
  teamId: string,
): Promise<boolean> {
  try {
    await queue.wake(teamId);
    return true;
  } catch (error) {
    onLostWake(teamId, error);
    return false;
  }
}
