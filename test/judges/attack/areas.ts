import { type Area, make, type Outcome } from './attack.ts';
import { campaigns } from './campaigns.ts';
import { pages } from './pages.ts';
import { tenancy } from './tenancy.ts';
import { tokens } from './tokens.ts';
import type { World } from './world.ts';

export const areas: Record<string, Area> = { tenancy, tokens, pages, campaigns };

/** One area after another. */
export async function attackAll(world: World, names: readonly string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const name of names) outcomes.push(...(await make(name, world, await areas[name]!(world))));
  return outcomes;
}
