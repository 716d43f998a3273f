import { expect, test } from 'vitest';
import { noDetails } from '../../lib/domain/contact.ts';
import { changeUniqueId } from '../../lib/operations/contacts/change-unique-id.ts';
import { loadLinks } from '../../lib/store/accounts.ts';
import { writeOfContact } from '../../lib/store/contacts.ts';
import type { Database } from '../../lib/store/database.ts';
import { derivedContactId } from '../../lib/store/keys.ts';
import { importDependencies, postBatch, workAll } from '../support/import-operations.ts';
import { ModelDatabase } from '../support/model-database.ts';

const teamId = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const product = { code: 'P', type: 'checking' };

test('a chunk that was read ahead links whom its unique_id names after a rename meanwhile', async () => {
  const model = new ModelDatabase();
  const id = derivedContactId(teamId, 'a');
  const time = '2026-01-01T00:00:00.000000Z';
  const contact = { ...noDetails, id, unique_id: 'a', inserted_at: time, updated_at: time };
  await model.write([writeOfContact(teamId, contact, undefined, [])]);
  const post = (chunk_index: number, records: object[]) =>
    postBatch(importDependencies(model), teamId, { batch_id: 'nightly', chunk_index, records });
  await post(0, [{ account_number: '1', product }]);
  await post(1, [{ account_number: '2', product, contact: { unique_id: 'a' } }]);
  let isRenamed = false;
  const rename = async () => {
    isRenamed = true;
    const dependencies = { database: model, now: Date.now, newId: () => crypto.randomUUID(), pause: async () => {} };
    await changeUniqueId(dependencies, teamId, { from: 'a', to: 'b' });
  };
  const database: Database = {
    get: (keys) => model.get(keys),
    query: (input) => model.query(input),
    transact: (writes) => model.transact(writes),
    write: async (writes) => {
      const isAccount = writes.some((write) => write.kind === 'insert' && write.item.sk === 'ACCOUNT');
      // The second chunk is being read by now.
      if (isAccount && !isRenamed) await rename();
      return model.write(writes);
    },
  };
  await workAll(importDependencies(database), teamId);
  expect(isRenamed).toBe(true);
  expect((await loadLinks(model, teamId, id)).links).toEqual([]);
});
