import { workCompletions } from '../../../lib/operations/events/work-completions.ts';
import { nextCompletionWork } from '../../../lib/store/events/completion-work.ts';
import type { World } from './world.ts';

/** The queue passes one message of the lane at a time, but a worker can be slower than its message is hidden. */
export function workLane(world: World, isSwept: boolean): void {
  if (world.running('completion').length > (world.isCalm ? 0 : 1) || !(world.hasCompletions || isSwept)) return;
  world.hasCompletions = false;
  const until = world.clock + world.random.pick([0, 50, 20_000]);
  world.start('completion', async (dependencies) => {
    const onContactFailure = (error: unknown) => world.violation(`complete: ${(error as Error).stack}`);
    const working = { ...dependencies, onContactFailure };
    const outcome = await workCompletions(working, world.team, () => world.isCalm || world.clock < until);
    if (outcome === 'out of time') world.hasCompletions = true;
  });
}

/** Whether completions wait. */
export const hasLane = async ({ table, team }: World): Promise<boolean> =>
  (await nextCompletionWork(table.model, team)) !== undefined;
