import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { withinScanBudget } from '../../../lib/operations/access/scan-budget.ts';
import { listContacts } from '../../../lib/operations/contacts/list.ts';
import { findContact } from '../../../lib/operations/journeys/find-contact.ts';
import { loadScanUse } from '../../../lib/store/access/scan-uses.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { freshTable } from '../../support/engine/engine.ts';
import { callerOf, serviceOn, upsertBatch } from '../../support/operations/operations.ts';
import { newTeam } from '../../support/operations/teams.ts';
import { record } from '../../support/samples/contacts.ts';

const { database } = await freshTable();
const team = await newTeam(database);
const minute = 60_000;
const noon = Date.UTC(2026, 0, 1, 12);

/** About 900 KB of directory rows, so one scan takes more than a hundred read units. */
beforeAll(async () => {
  const note = 'x'.repeat(15_000);
  const contacts = Array.from({ length: 60 }, (_, n) => record({ unique_id: `c${n}`, meta_public: { note } }));
  for (const at of [0, 20, 40]) {
    await upsertBatch(serviceOn(database), team, contacts.slice(at, at + 20));
  }
});

const at = (time: number, scanUnits = 150) => ({ ...serviceOn(database), now: () => time, scanUnits });
type Sent = Parameters<typeof listContacts>[2];
const search = (clientId: string, time = noon, sent: Sent = { search: 'nothing' }) =>
  listContacts(at(time), callerOf(team, clientId), sent);
const refused = (retryAfter: number) => ({ code: 'too_many_requests', retryAfter });

describe('a client that has used its read units of a minute', () => {
  test.each<[string, Sent]>([
    ['a search', { search: 'nothing' }],
    ['a sorted list', { sort_column: 'city' }],
    ['a list of recent updates', { updated_since: '2000-01-01T00:00:00Z' }],
    ['a list from a large offset', { offset: 5000 }],
  ])('cannot make %s until the next minute', async (_, sent) => {
    const client = randomUUID();
    await search(client, noon + 1000);
    await search(client, noon + 2000);
    await expect(search(client, noon + 12_000, sent)).rejects.toMatchObject(refused(48));
    await expect(search(client, noon + minute, sent)).resolves.toBeDefined();
  });

  test('cannot look up a contact by a field without an index', async () => {
    const client = randomUUID();
    const lookup = { field: { name: 'city' as const }, value: 'Brno' };
    const content = { lookups: async () => [], lastLookups: async () => [] } as never;
    const find = () => findContact({ ...at(noon, 100), content }, { teamId: team, clientId: client }, lookup);
    await find();
    await expect(find()).rejects.toMatchObject(refused(60));
  });

  test.each<[string, Sent]>([
    ['the list in its usual order', {}],
    ['one contact by its unique_id', { unique_id: 'c1' }],
    ['a list from a small offset', { offset: 20 }],
  ])('can still read %s', async (_, sent) => {
    const client = randomUUID();
    await search(client);
    await search(client);
    await expect(search(client, noon, { limit: 2, ...sent })).resolves.toBeDefined();
  });

  test('does not affect another client of the team', async () => {
    const client = randomUUID();
    await search(client);
    await search(client);
    await expect(search(client)).rejects.toMatchObject(refused(60));
    await expect(search(randomUUID())).resolves.toBeDefined();
  });
});

test('scans that run at the same time are all counted', async () => {
  const client = randomUUID();
  await search(client);
  const { use } = await loadScanUse(database, team, client);
  const again = randomUUID();
  const five = { ...at(noon), scanUnits: 100_000 };
  const caller = callerOf(team, again);
  await Promise.all(Array.from({ length: 5 }, () => listContacts(five, caller, { search: 'nothing' })));
  expect((await loadScanUse(database, team, again)).use).toEqual({ ...use, units: 5 * use.units });
});

test.each([
  ['a client that made no scan before', 0],
  ['a client whose scans have a known cost', 1],
])('of 80 scans at the same time of %s, only those within the budget run', async (_, before) => {
  const client = randomUUID();
  for (let n = 0; n < before; n++) await search(client, noon - minute);
  const outcomes = await Promise.allSettled(Array.from({ length: 80 }, () => search(client)));
  const denied = outcomes.filter(({ status }) => status === 'rejected');
  // One scan takes between 100 and 150 units, so the second one exceeds the budget of 150, as a single scan may.
  expect(denied).toHaveLength(78);
  for (const { reason } of denied as PromiseRejectedResult[]) expect(reason).toMatchObject(refused(60));
  await expect(search(client, noon + minute)).resolves.toBeDefined();
});

test('a scan that fails frees what it reserved', async () => {
  const client = randomUUID();
  await search(client, noon - minute);
  const failing = () => Promise.reject(new Error('away'));
  const fail = () => withinScanBudget(at(noon), { teamId: team, clientId: client }, failing);
  for (let n = 0; n < 5; n++) await expect(fail()).rejects.toThrow('away');
  await expect(search(client)).resolves.toBeDefined();
});

test.each([
  [9.5, 0],
  [10, 10],
])('a scan of %d read units counts as %d', async (readUnits, units) => {
  const client = randomUUID();
  const scan = (over: Database) => over.query({ pk: 'any' });
  const measured = { ...bound(database), query: async () => ({ items: [], readUnits }) };
  const run = (scanUnits: number) =>
    withinScanBudget({ ...at(noon, scanUnits), database: measured }, { teamId: team, clientId: client }, scan);
  await run(10);
  expect((await loadScanUse(database, team, client)).use.units).toBe(units);
  if (units > 0) await expect(run(units)).rejects.toMatchObject(refused(60));
  await expect(run(units + 1)).resolves.toBeDefined();
});

test('a scan whose use cannot be written fails', async () => {
  const client = randomUUID();
  const losing = {
    ...bound(database),
    query: async () => ({ items: [], readUnits: 100 }),
    write: async (writes: readonly unknown[]) => writes.map(() => false),
  };
  const scan = (over: Database) => over.query({ pk: 'any' });
  const run = withinScanBudget(
    { ...at(noon), pause: async () => {}, database: losing },
    { teamId: team, clientId: client },
    scan,
  );
  await expect(run).rejects.toMatchObject({ code: 'unavailable', message: 'too many conflicts on the use of scans' });
});

test('small scans are not counted, and only the first one writes', async () => {
  const client = randomUUID();
  const run = () => withinScanBudget(at(noon), { teamId: team, clientId: client }, async () => 'done');
  expect(await Promise.all([run(), run(), run()])).toEqual(['done', 'done', 'done']);
  expect(await loadScanUse(database, team, client)).toMatchObject({ use: { units: 0 }, version: 2 });
});
