import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { recordAssertion } from '../../lib/store/assertions.ts';
import type { Database } from '../../lib/store/database.ts';
import { freshTable } from '../support/engine.ts';

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
