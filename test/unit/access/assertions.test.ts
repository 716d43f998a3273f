import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { recordAssertion } from '../../../lib/store/access/clients.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { digestOf } from '../../../lib/store/table/digest.ts';
import { assertionKey } from '../../../lib/store/table/keys.ts';
import { freshTable } from '../../support/engine/engine.ts';

let database: Database;
beforeAll(async () => {
  database = (await freshTable()).database;
});

const assertion = () => ({ jti: randomUUID(), expiresAt: Math.floor(Date.now() / 1000) + 60 });

test('an assertion is recorded once for each client', async () => {
  const [one, other, used] = [randomUUID(), randomUUID(), assertion()];
  expect(await recordAssertion(database, one, used, 'use-1')).toBe(true);
  expect(await recordAssertion(database, one, used, 'use-2')).toBe(false);
  expect(await recordAssertion(database, other, used, 'use-3')).toBe(true);
});

test('a record is kept for a minute longer than the assertion is valid', async () => {
  const [client, { jti, expiresAt }] = [randomUUID(), assertion()];
  await recordAssertion(database, client, { jti, expiresAt }, 'use-1');
  const [item] = await database.get([assertionKey(client, digestOf(jti))]);
  expect(item).toMatchObject({ used_by: 'use-1', expires_at: expiresAt + 60 });
});

test('an assertion is read only if it may have been used before', async () => {
  let reads = 0;
  const get: Database['get'] = async () => {
    reads++;
    return [undefined];
  };
  const [client, used] = [randomUUID(), assertion()];
  expect(await recordAssertion({ ...bound(database), get }, client, used, 'use-1')).toBe(true);
  expect(reads).toBe(0);
  // The record has expired in between.
  expect(await recordAssertion({ ...bound(database), get }, client, used, 'use-2')).toBe(false);
  expect(reads).toBe(1);
});

test('a write that was repeated because its response was lost is not taken for another use', async () => {
  const repeating: Database = {
    get: (keys) => database.get(keys),
    query: (input) => database.query(input),
    transact: (writes) => database.transact(writes),
    write: async (writes) => {
      await database.write(writes);
      return database.write(writes);
    },
  };
  const [client, used] = [randomUUID(), assertion()];
  expect(await recordAssertion(repeating, client, used, 'use-1')).toBe(true);
  expect(await recordAssertion(repeating, client, used, 'use-2')).toBe(false);
});
