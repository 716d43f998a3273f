import type { ChunkStatus } from '../../../lib/domain/imports/chunk.ts';
import type { Item } from '../../../lib/store/table/database.ts';
import { importPartition, payloadKey } from '../../../lib/store/table/keys.ts';
import type { Acceptance } from './history.ts';
import type { World } from './world.ts';

/** The records of a failed chunk stay until it is redriven or discarded. All others expire. */
export function checkPayload(world: World, { teamId, payload_id, parts, status, order }: Acceptance): void {
  for (let part = 0; part < parts; part++) {
    const item = world.store.model?.read(payloadKey(teamId, payload_id, part));
    if (!item || (item.expires_at === undefined) === (status === 'failed')) continue;
    world.violation(`chunk ${order} of ${teamId} is ${status}, its records expire: ${item.expires_at}`);
  }
}

/** The lists of open and failed chunks, the counts beside them and the claims agree at every moment. */
export function checkLists(world: World, teamId: string, acceptances: readonly Acceptance[]): void {
  const { store } = world;
  if (!store.model || !store.isWhole) return;
  const { items } = store.model.page({ pk: importPartition(teamId) });
  const listed = (prefix: string) => items.filter(({ sk }) => sk.startsWith(prefix));
  const state = items.find(({ sk }) => sk === 'IMPORT');
  const ordersOf = (list: Item[]) => list.map(({ order }) => order).join();
  const standing = (status: ChunkStatus) =>
    acceptances
      .filter((each) => each.status === status)
      .map((each) => each.order)
      .join();
  const [open, failed] = [listed('OPEN#'), listed('FAILED#')];
  const problems = [
    ordersOf(open.filter(({ cancelled }) => !cancelled)) === standing('open') || 'the list of open chunks',
    ordersOf(failed) === standing('failed') || 'the list of failed chunks',
    open.length === acceptances.length - Number(state?.left ?? 0) || `the count of chunks that left (${state?.left})`,
    failed.length === Number(state?.failed ?? 0) || `the count of failed chunks (${state?.failed})`,
  ];
  for (const problem of problems) {
    if (problem !== true) world.violation(`${problem} of ${teamId} is wrong`);
  }
}
