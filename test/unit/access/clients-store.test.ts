import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { newClient, revoked, withNewSecret } from '../../../lib/domain/access/client.ts';
import { isUuid } from '../../../lib/domain/values/uuid.ts';
import { changeClient } from '../../../lib/operations/access/clients.ts';
import { insertClient, listClients, loadClient, saveLastUse } from '../../../lib/store/access/clients.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const database = new ModelDatabase();

async function stored(teamId: string = randomUUID(), at = now) {
  const client = newClient(randomUUID(), teamId, 'hash', at);
  expect(await insertClient(database, client)).toBe(true);
  return client;
}

const dependencies = () => ({ database, pause: async () => {} });

describe('a stored client', () => {
  test('takes both of two changes at once', async () => {
    const client = await stored();
    await Promise.all([
      changeClient(dependencies(), client.client_id, (each) => withNewSecret(each, 'new', now)),
      changeClient(dependencies(), client.client_id, (each) => revoked(each, 'query_string', now)),
    ]);
    const after = await loadClient(database, client.client_id);
    expect(after).toMatchObject({ revoked_by: 'query_string', version: 3 });
    expect(after?.secrets.map(({ hash }) => hash)).toEqual(['new', 'hash']);
  });

  test('keeps the last day of use when a request that read an earlier one is late', async () => {
    const read = newClient(randomUUID(), randomUUID(), 'hash', now);
    await insertClient(database, read);
    await saveLastUse(database, read, '2026-03-02');
    await saveLastUse(database, read, '2026-03-01');
    expect((await loadClient(database, read.client_id))?.last_used_on).toBe('2026-03-02');
  });

  test('is left out of the list if it is gone', async () => {
    const team = randomUUID();
    const [one, other] = [await stored(team, now), await stored(team, now + 1)];
    const get: Database['get'] = async (keys) =>
      (await database.get(keys)).map((item) => (item?.client_id === one.client_id ? undefined : item));
    expect(await listClients({ ...bound(database), get }, team)).toEqual([other]);
  });

  test('is listed in its place where its time was stored with three digits', async () => {
    const team = randomUUID();
    const times = ['2026-03-01T12:00:00.000001Z', '2026-03-01T12:00:00.000Z', '2026-03-01T11:59:59.999999Z'];
    for (const inserted_at of times) {
      await insertClient(database, { ...newClient(randomUUID(), team, 'hash', now), inserted_at });
    }
    expect((await listClients(database, team)).map(({ inserted_at }) => inserted_at)).toEqual(times.toReversed());
  });
});

describe('what is no client', () => {
  test.each([
    ['an unknown id', randomUUID()],
    ['nothing', ''],
    ['text longer than a key', 'x'.repeat(5000)],
    ['an id in capitals', randomUUID().toUpperCase()],
    ['a key of another kind', 'T#1#C#2'],
    ['a NUL', '\u0000'],
  ])('%s is not found', async (_, id) => {
    const get = vi.spyOn(database, 'get');
    expect(await loadClient(database, id)).toBeUndefined();
    // DynamoDB refuses some of these texts as keys.
    expect(get).toHaveBeenCalledTimes(isUuid(id) ? 1 : 0);
    get.mockRestore();
    expect(await changeClient(dependencies(), id, (client) => client)).toBeUndefined();
  });
});
