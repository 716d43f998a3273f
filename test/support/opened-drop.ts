import type { DropKind } from '../../lib/domain/drop.ts';
import { Drop } from '../../lib/operations/drop-box/state.ts';
import type { DropWorld } from './drop-box.ts';

/** A file of the team with its initial state. */
export async function openedDrop(world: DropWorld, path: string, content: string | Buffer): Promise<Drop> {
  const kind = path.split('/')[0] as DropKind;
  return Drop.open(world.database, { teamId: world.teamId, kind }, world.drop(path, content), world.clock);
}
