import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { encrypt } from '../../../lib/auth/encryption.ts';
import type { ListParameters } from '../../../lib/domain/contacts/contact-list.ts';
import { secretsOf } from '../../../lib/domain/teams/team.ts';
import { listContacts } from '../../../lib/operations/contacts/list.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { contactKey } from '../../../lib/store/table/keys.ts';
import { loadTeam } from '../../../lib/store/teams/teams.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { callerOf, serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { newTeam } from '../../support/operations/teams.ts';
import { record } from '../../support/samples/contacts.ts';

const database: Database = new ModelDatabase();

const people = [
  { unique_id: 'a', city: 'Oslo', meta_private: { note: 'secret' } },
  { unique_id: 'b', city: 'Bergen', phone_mobile: '+47 912 34 567' },
  { unique_id: 'c', city: 'Oslo' },
  { unique_id: 'd' },
];
const start = Date.UTC(2026, 0, 1);
const timeOf = (index: number) => new Date(start + index * 60_000).toISOString();
let team: string;
beforeAll(async () => {
  team = await newTeam(database);
  for (const [index, person] of people.entries()) {
    const now = () => start + index * 60_000;
    await upsertContact({ ...serviceOn(database), now }, team, record(person));
  }
});

type Options = { readsPrivate?: boolean; using?: Database; of?: string; scanUnits?: number };
const list = (parameters: ListParameters & { cursor?: string }, options: Options = {}) => {
  const { readsPrivate = true, using = database, of = team, scanUnits = 1000 } = options;
  return listContacts(serviceOn(using, { scanUnits }), callerOf(of, 'client', readsPrivate), parameters);
};
const found = async (parameters: ListParameters, options?: Options) =>
  (await list(parameters, options)).contacts.map(({ unique_id }) => unique_id).join('');

describe('a list by unique_id', () => {
  test.each<[ListParameters, string]>([
    [{}, 'b'],
    [{ search: 'bergen' }, 'b'],
    [{ search: 'oslo' }, ''],
    [{ search: '91234' }, 'b'],
    [{ search: '(912) 34' }, ''],
    [{ updated_since: timeOf(1) }, 'b'],
    [{ updated_since: timeOf(2) }, ''],
    [{ offset: 1 }, ''],
  ])('with %j has "%s"', async (parameters, expected) => {
    expect(await found({ unique_id: 'b', ...parameters })).toBe(expected);
  });

  test('has one contact at most, and no other page', async () => {
    const { contacts, ...rest } = await list({ unique_id: 'b', limit: 1 });
    expect(contacts).toMatchObject([{ id: derivedContactId(team, 'b'), city: 'Bergen' }]);
    expect(rest).toEqual({ limit: 1, offset: 0, has_more: false });
    expect(await list({ unique_id: 'nobody' })).toEqual({ contacts: [], limit: 20, offset: 0, has_more: false });
  });

  test('that is being renamed is empty', async () => {
    const [own, other] = ['b', 'c'].map((uniqueId) => contactKey(team, derivedContactId(team, uniqueId)));
    const get: Database['get'] = (keys) =>
      database.get(keys.map((key) => (key.pk === own!.pk && key.sk === own!.sk ? other! : key)));
    expect(await found({ unique_id: 'b' }, { using: { ...bound(database), get } })).toBe('');
  });
});

describe('a filter', () => {
  test.each<[ListParameters, string]>([
    [{ search: 'oslo' }, 'ac'],
    [{ search: 'oslo', offset: 1 }, 'c'],
    [{ search: 'oslo', sort_column: 'unique_id', sort_direction: 'desc' }, 'ca'],
    [{ search: '91234' }, 'b'],
    [{ search: '912-34' }, ''],
    [{ updated_since: timeOf(2) }, 'cd'],
    [{ updated_since: timeOf(1), search: 'oslo' }, 'c'],
    [{ updated_since: timeOf(1), sort_column: 'unique_id', sort_direction: 'desc' }, 'dcb'],
  ])('%j finds "%s"', async (parameters, expected) => {
    expect(await found(parameters)).toBe(expected);
  });

  test('finds private values only for clients that may read them', async () => {
    for (const parameters of [{ search: 'secret' }, { search: 'secret', unique_id: 'a' }]) {
      expect(await found(parameters)).toBe('a');
      expect(await found(parameters, { readsPrivate: false })).toBe('');
    }
    expect(await found({ search: 'oslo' }, { readsPrivate: false })).toBe('ac');
  });
});

test.each<[string, ListParameters, boolean]>([
  ['a search', { search: 'oslo' }, true],
  ['another order', { sort_column: 'city' }, true],
  ['recent updates', { updated_since: timeOf(0) }, true],
  ['a large offset', { offset: 1001 }, true],
  ['an offset of 1,000', { offset: 1000 }, false],
  ['the usual order', { sort_direction: 'desc' }, false],
  ['one unique_id', { unique_id: 'a', search: 'oslo' }, false],
])('%s uses the budget for scans or not: %j', async (_, parameters, isScan) => {
  const outcome = await list(parameters, { scanUnits: 0 }).catch(({ code }) => code);
  expect(outcome === 'too_many_requests').toBe(isScan);
});

test('a contact that was deleted since its index entry was read is left out', async () => {
  const { pk } = contactKey(team, derivedContactId(team, 'b'));
  const get: Database['get'] = async (keys) =>
    (await database.get(keys)).map((item) => (item?.pk === pk ? undefined : item));
  const { contacts } = await list({}, { using: { ...bound(database), get } });
  expect(contacts.map(({ unique_id }) => unique_id)).toEqual(['a', 'c', 'd']);
});

describe('a cursor', () => {
  const cursorOf = async (parameters: ListParameters) => (await list(parameters)).next_cursor!;
  const invalid = (...details: object[]) => ({ code: 'invalid_request', details });
  const unknown = invalid({ path: 'cursor', message: 'is not a cursor of this list' });

  test('continues the query that returned it', async () => {
    const query = { search: 'oslo', sort_column: 'unique_id', sort_direction: 'desc', limit: 1 } as const;
    const cursor = await cursorOf(query);
    const { contacts, ...rest } = await list({ cursor });
    expect(contacts.map(({ unique_id }) => unique_id)).toEqual(['a']);
    expect(rest).toEqual({ limit: 1, offset: 0, has_more: false });
    expect(await list({ cursor, ...query })).toEqual({ contacts, ...rest });
  });

  test('already includes the offset', async () => {
    for (const sort_column of ['inserted_at', 'unique_id'] as const) {
      const cursor = await cursorOf({ sort_column, offset: 1, limit: 1 });
      const { contacts, offset } = await list({ cursor });
      expect([contacts[0]?.unique_id, offset]).toEqual(['c', 1]);
    }
  });

  test('cannot be combined with other parameters', async () => {
    const cursor = await cursorOf({ limit: 2 });
    const [limit, search] = ['limit', 'search'].map((path) => ({ path }));
    await expect(list({ cursor, limit: 3 })).rejects.toMatchObject(invalid(limit!));
    await expect(list({ cursor, limit: 3, search: 'x' })).rejects.toMatchObject({
      code: 'invalid_request',
      details: expect.arrayContaining([limit, search].map((each) => expect.objectContaining(each))),
    });
  });

  test('of another team, of another purpose or of another form is unknown', async () => {
    const secrets = secretsOf((await loadTeam(database, team))!);
    const cursors = [
      'x',
      encrypt(secrets, 'other', JSON.stringify({})),
      encrypt(secrets, 'contact list cursor', JSON.stringify({ old: true })),
    ];
    for (const cursor of cursors) await expect(list({ cursor })).rejects.toMatchObject(unknown);
    const own = await cursorOf({ limit: 1 });
    await expect(list({ cursor: own }, { of: await newTeam(database) })).rejects.toMatchObject(unknown);
  });

  test('cannot be read in a team that does not exist', async () => {
    const cursor = await cursorOf({ limit: 1 });
    const error = 'the team of the access token does not exist';
    await expect(list({ cursor }, { of: randomUUID() })).rejects.toThrow(error);
  });

  test('is for this purpose only', async () => {
    const secrets = secretsOf((await loadTeam(database, team))!);
    const query = { ...{ unique_id: '', search: '', updated_since: '' }, limit: 2, offset: 0 };
    const order = { sort_column: 'unique_id', sort_direction: 'asc' };
    const text = JSON.stringify({
      query: { ...query, ...order },
      after: { value: 'b', id: derivedContactId(team, 'b') },
    });
    expect((await list({ cursor: encrypt(secrets, 'contact list cursor', text) })).contacts).toHaveLength(2);
  });
});
