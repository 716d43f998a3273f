import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { contactUnits } from '../../../bench/cost/units.ts';
import { ContentCache } from '../../../lib/store/campaigns/content.ts';
import { loadByUniqueId, loadContact } from '../../../lib/store/contacts/contacts.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import type { Consumed } from '../../../lib/store/table/dynamodb.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { contactKey, identityKey } from '../../../lib/store/table/keys.ts';
import { freshTable, reportsCapacity } from '../../support/engine/engine.ts';
import { putContent } from '../../support/operations/content.ts';
import { serviceOn, upsertBatch, upsertContact } from '../../support/operations/operations.ts';
import { newTeam } from '../../support/operations/teams.ts';
import { record, samplePerson } from '../../support/samples/contacts.ts';

const consumed: Consumed[] = [];
const { database } = await freshTable({ onConsumed: (each) => consumed.push(each) });
const isCounted = await reportsCapacity();
// Whatever time a test takes, what it has read of the content stays in the cache.
const dependencies = { ...serviceOn(database), content: new ContentCache(database, () => 0) };

/** A team whose declared lookup fields this instance has cached, for some seconds. */
async function knownTeam(): Promise<string> {
  const team = randomUUID();
  await dependencies.content.lookups(team);
  return team;
}

/** What the work costs, in round trips and capacity units. */
async function costOf(work: () => Promise<unknown>) {
  consumed.length = 0;
  await work();
  const sum = (unit: 'readUnits' | 'writeUnits') => consumed.reduce((total, each) => total + each[unit], 0);
  return { trips: consumed.length, read: sum('readUnits'), write: sum('writeUnits') };
}

const person = (uniqueId: string) => ({
  unique_id: uniqueId,
  ...samplePerson,
  email_opted_in: true,
  meta_private: { branch: { id: 18, name: 'Midtbyen' } },
});

test.runIf(isCounted)('a new contact of less than 1 KB costs two reads and two writes at most', async () => {
  const team = await knownTeam();
  const cost = await costOf(() => upsertContact(dependencies, team, record(person('p'))));
  const [item] = await database.get([contactKey(team, derivedContactId(team, 'p'))]);
  expect(JSON.stringify(item).length).toBeLessThan(1024);
  expect(cost).toEqual(contactUnits.created);
});

test.runIf(isCounted)('an unchanged contact costs no write', async () => {
  const team = await knownTeam();
  await upsertContact(dependencies, team, record(person('p')));
  expect(await costOf(() => upsertContact(dependencies, team, record(person('p'))))).toEqual(contactUnits.unchanged);
});

test.runIf(isCounted)('a changed contact costs the item and its place in the directory', async () => {
  const team = await knownTeam();
  await upsertContact(dependencies, team, record(person('p')));
  const change = record({ ...person('p'), city: 'Bergen' });
  expect(await costOf(() => upsertContact(dependencies, team, change))).toEqual(contactUnits.changed);
});

test.runIf(isCounted)(
  'which fields are declared for lookups is one read more, for whoever has not read it for five seconds',
  async () => {
    const team = randomUUID();
    const first = await costOf(() => upsertContact(dependencies, team, record(person('p'))));
    const { read, write, trips } = contactUnits.created;
    expect(first).toEqual({ read: read + 1, write, trips: trips + 1 });
    expect(await costOf(() => upsertContact(dependencies, team, record(person('q'))))).toEqual(contactUnits.created);
  },
);

test.runIf(isCounted)(
  'a batch costs a round trip for fifty contacts read and one for twenty-five written',
  async () => {
    const team = await knownTeam();
    const records = Array.from({ length: 500 }, (_, n) => record(person(`p${n}`)));
    const cost = await costOf(() => upsertBatch(dependencies, team, records));
    expect(cost).toEqual({
      trips: 10 + 20,
      read: 500 * contactUnits.created.read,
      write: 500 * contactUnits.created.write,
    });
    const again = await costOf(() => upsertBatch(dependencies, team, records));
    expect(again).toEqual({ trips: 10, read: 500 * contactUnits.unchanged.read, write: 0 });
  },
);

test('a batch with a fault that only merging finds names every such record and writes nothing', async () => {
  const team = randomUUID();
  const large = 'x'.repeat(9_000);
  for (const unique_id of ['a', 'b']) {
    await upsertContact(dependencies, team, record({ unique_id, meta_public: { kept: large } }));
  }
  const batch = [
    record({ unique_id: 'new' }),
    record({ unique_id: 'a', meta_public: { more: large } }),
    record({ unique_id: 'b', meta_private: { fits: large } }),
    record({ unique_id: 'b', name_first: 5 }),
    record({ unique_id: 'b', meta_private: { more: large }, journey: { template_id: randomUUID() } }),
  ];
  const refused = upsertBatch(dependencies, team, batch);
  await expect(refused).rejects.toMatchObject({ code: 'validation_failed' });
  const { details } = (await refused.catch((error) => error)) as { details: { path: string }[] };
  expect(details.map(({ path }) => path)).toEqual([
    '/contacts/1/meta_public',
    '/contacts/3/name_first',
    '/contacts/4/journey/template_id',
    '/contacts/4/meta_private',
  ]);
  expect((await loadByUniqueId(database, team, ['new'])).get('new')?.stored).toBeUndefined();
});

test('a record that the code fails on is rejected by its place, and nothing is written', async () => {
  const team = await knownTeam();
  const bad = Object.defineProperty(record({ unique_id: 'bad' }), 'meta', {
    get: () => {
      throw new TypeError('a bug');
    },
  });
  const details = [{ path: '/contacts/1', message: 'cannot be processed because of an internal error' }];
  const records = [record({ unique_id: 'good' }), bad];
  await expect(upsertBatch(dependencies, team, records)).rejects.toMatchObject({
    ...{ code: 'validation_failed', details },
    cause: expect.any(TypeError),
  });
  expect(await loadContact(database, team, derivedContactId(team, 'good'))).toBeUndefined();
});

test('a batch whose answer would not fit writes nothing', async () => {
  const team = randomUUID();
  const refused = upsertBatch(dependencies, team, [record({ unique_id: 'a' })], { fits: () => false });
  await expect(refused).rejects.toMatchObject({ code: 'payload_too_large' });
  expect((await loadByUniqueId(database, team, ['a'])).get('a')?.stored).toBeUndefined();
});

test('objectives of the team and global ones are completed, and read only when a field may name one', async () => {
  const team = await newTeam(database);
  const item = { id: randomUUID(), key: 'opened_app', name: 'Opened the app' };
  await putContent(database, team, { objectives: [item] });
  await dependencies.content.lookups(team);
  const { trips } = await costOf(() => upsertContact(dependencies, team, record({ unique_id: 'a', name_first: 'x' })));
  expect(trips).toBe(2);
  await upsertContact(dependencies, team, record({ unique_id: 'a', opened_app: '2024-05-06', closed_app: true }));
  await upsertContact(dependencies, team, record({ unique_id: 'a', opened_app: '2020-01-01' }));
  const stored = await loadContact(database, team, derivedContactId(team, 'a'));
  expect(stored?.contact.completions).toEqual({ [item.id]: '2024-05-06T00:00:00.000000Z' });
});

test('who a unique_id names after a rename is what its identity item says', async () => {
  const team = randomUUID();
  const { contact } = await upsertContact(dependencies, team, record({ unique_id: 'old', name_first: 'Ann' }));
  const fresh = randomUUID();
  await rename(team, contact.id, fresh);
  const renamed = await upsertContact(dependencies, team, record({ unique_id: 'new', city: 'Oslo' }));
  expect(renamed).toMatchObject({ created: false, contact: { id: contact.id, unique_id: 'new', name_first: 'Ann' } });
  const somebodyElse = await upsertContact(dependencies, team, record({ unique_id: 'old' }));
  expect(somebodyElse).toMatchObject({ created: true, contact: { id: fresh, unique_id: 'old', name_first: null } });
});

test('a contact that is renamed while it is read is read again', async () => {
  const team = randomUUID();
  const { contact } = await upsertContact(dependencies, team, record({ unique_id: 'old' }));
  const fresh = randomUUID();
  let reads = 0;
  // One response of the table may contain an item from before a transaction and another from after it.
  const torn: Database = {
    ...bound(database),
    get: async (keys) => {
      if (reads++ > 0) return database.get(keys);
      await rename(team, contact.id, fresh);
      const items = await database.get(keys);
      return items.map((item) => (item?.sk === 'IDENTITY' ? undefined : item));
    },
  };
  const upserted = await upsertContact(serviceOn(torn), team, record({ unique_id: 'old' }));
  expect(upserted).toMatchObject({ created: true, contact: { id: fresh, unique_id: 'old' } });
});

/** What an administrator's change of a `unique_id` from `old` to `new` leaves behind. */
const rename = (team: string, contactId: string, fresh: string) =>
  database.transact([
    { kind: 'update', key: contactKey(team, contactId), set: { unique_id: 'new', version: 2 }, expect: { version: 1 } },
    { kind: 'insert', item: { ...identityKey(team, 'new'), contact_id: contactId } },
    { kind: 'insert', item: { ...identityKey(team, 'old'), contact_id: fresh } },
  ]);
