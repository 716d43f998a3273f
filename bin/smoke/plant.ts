import { batchRequest } from '../../lib/domain/batch.ts';
import type { JsonValue } from '../../lib/domain/json.ts';
import { acceptBatch } from '../../lib/operations/imports/accept.ts';
import type { ImportDependencies } from '../../lib/operations/imports/dependencies.ts';
import { discardFailed } from '../../lib/operations/imports/failed.ts';
import { failChunk } from '../../lib/operations/imports/work.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { loadChunk } from '../../lib/store/claims.ts';
import { digestOf } from '../../lib/store/digest.ts';
import { accountKey, chunkKey, payloadKey } from '../../lib/store/keys.ts';
import { ProductRegistry } from '../../lib/store/products.ts';
import type { World } from './world.ts';

/** States of imports that requests alone do not reach in a short time. An administrator makes them in the table. */

/** Accepts a chunk without waking the worker, as if the request had crashed before it sent the wake. */
export async function acceptUnwoken(world: World, batchId: string, records: readonly object[]): Promise<void> {
  const pair = { batch_id: batchId, chunk_index: 0 };
  await acceptBatch(withoutQueue(world), world.teamId, {
    pair,
    namesChunkCount: false,
    digest: () => digestOf(records as JsonValue[]),
    validate: () => batchRequest.parse({ type: 'accounts', ...pair, records }),
  });
}

/** Deletes the records of an accepted chunk, which then can never be applied. */
export async function loseRecords(world: World, batchId: string): Promise<void> {
  const { database } = world.installation;
  const { payload_id, parts } = (await loadChunk(database, world.teamId, refOf(world, batchId)))!;
  const keys = Array.from({ length: parts }, (_, part) => payloadKey(world.teamId, payload_id, part));
  await database.transact(keys.map((key) => ({ kind: 'delete' as const, key, expect: {} })));
}

/** Gives the failed chunk up, so that no alarm goes off. */
export async function discardLost(world: World, batchId: string): Promise<void> {
  const { database } = world.installation;
  const chunk = await loadChunk(database, world.teamId, refOf(world, batchId));
  if (chunk?.status === 'failed') await discardFailed(dependenciesOn(database), chunk);
}

const refOf = ({ teamId }: World, batch_id: string) => ({ batch_id, claim: chunkKey(teamId, batch_id, 0).sk });

/** Marks an open chunk failed, as the worker does after its last attempt. */
export async function failAccepted(world: World, batchId: string): Promise<void> {
  const { database } = world.installation;
  const chunk = await loadChunk(database, world.teamId, refOf(world, batchId));
  if (chunk) await failChunk(dependenciesOn(database), chunk, 'the smoke test marked it failed');
}

/** Stores an account that cannot be read, so that attempts at chunks with its number fail until it is deleted. */
export async function blockAccount(world: World, accountNumber: string): Promise<() => Promise<void>> {
  const { database } = world.installation;
  const key = accountKey(world.teamId, accountNumber);
  await database.write([{ kind: 'insert', item: { ...key, smoke: true } }]);
  return async () => void (await database.transact([{ kind: 'delete', key, expect: {} }]));
}

function withoutQueue({ installation }: World): ImportDependencies {
  const { database } = installation;
  return {
    ...dependenciesOn(database),
    products: new ProductRegistry(database),
    queue: { wake: async () => {}, postpone: async () => {} },
    onLostWake: () => {},
  };
}
