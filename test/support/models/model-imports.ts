import type { ImportService } from '../../../lib/operations/service.ts';
import { loadChunk } from '../../../lib/store/imports/claims.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { chunkKey, payloadKey } from '../../../lib/store/table/keys.ts';
import { postBatch } from '../operations/import-operations.ts';
import { serviceOn } from '../operations/operations.ts';
import { ModelDatabase } from './model-database.ts';
import { ModelQueue } from './model-queue.ts';

/** The imports of one team on the model of the table, at noon. */
export const teamId = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
export const noon = Date.parse('2026-03-01T12:00:00Z');
/** The time in seconds, so many days after noon. */
export const days = (count: number) => noon / 1000 + count * 86_400;
export const record = (account_number: string, fields: object = {}) => ({
  account_number,
  product: { code: 'P', type: 'checking' },
  ...fields,
});

export let model: ModelDatabase;
let queue: ModelQueue;
export function open(): void {
  model = new ModelDatabase();
  queue = new ModelQueue();
}

export const using = (changes: Partial<ImportService> = {}): ImportService =>
  serviceOn(changes.database ?? model, { queue, now: () => noon, pause: async () => {}, ...changes });
export const post = (chunk_index: number, changes: Partial<ImportService> = {}, records = [record('1')]) =>
  postBatch(using(changes), teamId, { batch_id: 'nightly', chunk_index, records });
export const chunk = (index: number) =>
  loadChunk(model, teamId, { batch_id: 'nightly', claim: chunkKey(teamId, 'nightly', index).sk });
export const expiryOf = async (index: number) =>
  (await model.get([payloadKey(teamId, (await chunk(index))!.payload_id, 0)]))[0]!.expires_at;
export const replaced = (changes: Partial<Database>): Database => ({ ...bound(model), ...changes });
export function counted() {
  const calls = { get: 0, query: 0, write: 0, transact: 0 };
  const database = replaced(
    Object.fromEntries(
      (Object.keys(calls) as (keyof typeof calls)[]).map((name) => [
        name,
        (...input: never[]) => {
          calls[name]++;
          return (model[name] as (...values: never[]) => unknown)(...input);
        },
      ]),
    ) as Partial<Database>,
  );
  return { calls, database };
}
