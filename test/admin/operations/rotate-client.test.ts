import { expect, test } from 'vitest';
import { rotateClient } from '../../../bin/admin/operations/clients.ts';
import { hashSecret } from '../../../lib/auth/secrets.ts';
import { liveSecretHashes, newClient } from '../../../lib/domain/client.ts';
import { insertClient, loadClient } from '../../../lib/store/clients.ts';
import type { Database } from '../../../lib/store/database.ts';
import { ModelDatabase } from '../../support/model-database.ts';

const [teamId, clientId] = ['8f3c1a52-7f0e-4b5d-9a63-000000000000', '8f3c1a52-7f0e-4b5d-9a63-000000000001'];
const now = Date.parse('2026-03-01T12:00:00Z');

test('a rotation whose response was lost keeps the old secret valid', async () => {
  const model = new ModelDatabase();
  await insertClient(model, newClient(clientId, teamId, hashSecret('old'), now));
  // The table's client sends the write again, and its condition fails then.
  const resending: Database = {
    get: (keys) => model.get(keys),
    query: (input) => model.query(input),
    transact: (writes) => model.transact(writes),
    write: async (writes) => {
      await model.write(writes);
      return model.write(writes);
    },
  };
  const dependencies = { database: resending, now: () => now, newSecret: () => 'new', pause: async () => {} };
  expect(await rotateClient(dependencies, clientId)).toMatchObject({ client_secret: 'new' });
  const stored = await loadClient(model, clientId);
  expect(liveSecretHashes(stored!, now)).toEqual([hashSecret('new'), hashSecret('old')]);
});
