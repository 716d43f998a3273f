import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { encrypt } from '../../../lib/auth/encryption.ts';
import { defaultScanUnits } from '../../../lib/domain/access/scan-budget.ts';
import { noDetails } from '../../../lib/domain/contacts/contact.ts';
import type { ListParameters } from '../../../lib/domain/contacts/contact-list.ts';
import type { ContactList, ShownContact } from '../../../lib/domain/contacts/contact-responses.ts';
import { sortColumns } from '../../../lib/domain/contacts/directory.ts';
import { shownContactOf } from '../../../lib/domain/contacts/shown-contact.ts';
import { secretsOf } from '../../../lib/domain/teams/team.ts';
import { listContacts } from '../../../lib/operations/contacts/list.ts';
import { writeOfContact } from '../../../lib/store/contacts/contacts.ts';
import { bound, chunksOf, type Database } from '../../../lib/store/table/database.ts';
import type { Consumed } from '../../../lib/store/table/dynamodb.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { contactKey } from '../../../lib/store/table/keys.ts';
import { loadTeam } from '../../../lib/store/teams/teams.ts';
import { freshTable } from '../../support/engine/engine.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { callerOf, serviceOn, upsertBatch, upsertContact } from '../../support/operations/operations.ts';
import { newTeam } from '../../support/operations/teams.ts';
import { record } from '../../support/samples/contacts.ts';

const database: Database = new ModelDatabase();

/** Fills a team with contacts in batches of the same instant, so that four at a time are of the same age. */
async function fill(team: string, count: number, using = database): Promise<ShownContact[]> {
  const names = ['ann', 'Ann', 'BOB', 'bob', 'Éva', 'zoe', '', null];
  const flags = [true, false, null];
  const made = Array.from({ length: count }, (_, n) => ({
    unique_id: `${n % 2 ? 'u' : 'U'}${(n * 37) % 100}-${n}`,
    name_first: names[n % names.length],
    city: names[(n * 3) % names.length],
    birthdate: n % 4 ? `19${50 + (n % 40)}-01-01` : null,
    email_opted_in: flags[n % 3],
    sms_opted_in: flags[(n + 1) % 3],
    meta_public: { note: `note ${n % 5}` },
  }));
  const instant = { ...serviceOn(using), now: () => 1_700_000_000_000 };
  const batches = chunksOf(made.map(record), Math.ceil(count / 4));
  const answers = await Promise.all(batches.map((batch) => upsertBatch(instant, team, batch)));
  return answers.flatMap(({ new_contacts: contacts }) => contacts);
}

/** Writes so many contacts with each time, as an older release or another system could have created them. */
async function fillInstants(team: string, counts: readonly number[], using: Database): Promise<ShownContact[]> {
  const contacts = counts.flatMap((count, instant) =>
    Array.from({ length: count }, (_, n) => {
      const at = `2026-01-01T00:00:0${instant}.000000Z`;
      const [unique_id, times] = [`${instant}-${n}`, { inserted_at: at, updated_at: at }];
      return { ...noDetails, id: derivedContactId(team, unique_id), unique_id, ...times };
    }),
  );
  await using.write(contacts.map((contact) => writeOfContact(team, contact, undefined, [], { writer: 'test' })));
  return contacts.map((contact) => shownContactOf(contact));
}

const list = (team: string, parameters: ListParameters & { cursor?: string } = {}, using = database) =>
  listContacts(serviceOn(using, { scanUnits: defaultScanUnits }), callerOf(team), parameters);
const idsOf = (contacts: readonly ShownContact[]) => contacts.map(({ unique_id }) => unique_id);

/** The order that the contract requires, in the simplest implementation. */
function ordered(contacts: readonly ShownContact[], column: keyof ShownContact, direction: 'asc' | 'desc') {
  const value = (contact: ShownContact) => {
    const found = contact[column] as string | boolean | null;
    return typeof found === 'string' ? found.toLowerCase() : found === null ? null : Number(found);
  };
  return [...contacts].sort((a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === right) return a.id < b.id ? -1 : 1;
    if (left === null || right === null) return left === null ? 1 : -1;
    return (left < right ? -1 : 1) * (direction === 'asc' ? 1 : -1);
  });
}

async function everyPage(team: string, parameters: ListParameters): Promise<ContactList[]> {
  const pages = [await list(team, parameters)];
  for (let cursor = pages[0]?.next_cursor; cursor; cursor = pages.at(-1)?.next_cursor) {
    pages.push(await list(team, { cursor }));
  }
  return pages;
}

let team: string;
let all: ShownContact[];
beforeAll(async () => {
  team = await newTeam(database);
  all = await fill(team, 60);
});

describe('a list', () => {
  test.each(sortColumns)('sorts by %s, both ways', async (sort_column) => {
    for (const sort_direction of ['asc', 'desc'] as const) {
      const { contacts } = await list(team, { sort_column, sort_direction, limit: 100 });
      expect(idsOf(contacts)).toEqual(idsOf(ordered(all, sort_column, sort_direction)));
    }
  });

  test('has the contacts of one batch in the order sent, though all came at one instant', async () => {
    const own = await newTeam(database);
    const sent = Array.from({ length: 500 }, () => crypto.randomUUID());
    const instant = { ...serviceOn(database), now: () => 1_700_000_000_000 };
    await upsertBatch(
      instant,
      own,
      sent.map((unique_id) => record({ unique_id })),
    );
    const pages = await everyPage(own, { limit: 100 });
    expect(pages.flatMap(({ contacts }) => idsOf(contacts))).toEqual(sent);
  });

  test.each([
    [{}],
    [{ sort_direction: 'desc' }],
    [{ sort_column: 'name_first' }],
    [{ sort_column: 'city', sort_direction: 'desc' }],
    [{ search: 'NOTE 3' }],
    [{ search: 'note 3', sort_column: 'unique_id', sort_direction: 'desc' }],
  ] as [ListParameters][])('pages through %j by cursor and by offset, to the same end', async (parameters) => {
    const { sort_column = 'inserted_at', sort_direction = 'asc', search } = parameters;
    const matching = search ? all.filter(({ meta_public: meta }) => meta?.note === 'note 3') : all;
    const expected = idsOf(ordered(matching, sort_column, sort_direction));
    const pages = await everyPage(team, { ...parameters, limit: 13 });
    expect(pages.flatMap(({ contacts }) => idsOf(contacts))).toEqual(expected);
    expect(pages.map(({ has_more }) => has_more)).toEqual(pages.map((_, n) => n < pages.length - 1));
    for (let offset = 0; offset < expected.length + 13; offset += 13) {
      const page = await list(team, { ...parameters, limit: 13, offset });
      expect(idsOf(page.contacts)).toEqual(expected.slice(offset, offset + 13));
      expect(page.has_more).toBe(offset + 13 < expected.length);
    }
  });

  test('shows a contact as it is now, whatever its index entry says', async () => {
    const own = await newTeam(database);
    const [contact] = await fill(own, 1);
    const key = contactKey(own, contact!.id);
    const data = JSON.stringify({ name_first: 'Newer' });
    await database.write([{ kind: 'update', key, set: { data, version: 2 }, expect: { version: 1 } }]);
    const { contacts } = await list(own, { search: 'ann' });
    expect(contacts.map(({ name_first }) => name_first)).toEqual(['Newer']);
  });

  test('goes on where it was when contacts come and go before it', async () => {
    const own = await newTeam(database);
    const before = await fill(own, 12);
    const first = await list(own, { sort_column: 'unique_id', limit: 5 });
    await upsertContact(serviceOn(database), own, record({ unique_id: '!first' }));
    const second = await list(own, { cursor: first.next_cursor! });
    expect(idsOf([...first.contacts, ...second.contacts])).toEqual(
      idsOf(ordered(before, 'unique_id', 'asc')).slice(0, 10),
    );
  });
});

describe('a cursor of long values', () => {
  const letters = '𝒶𝒷𝒸\u0000é';
  const long = (seed: number, length: number) =>
    Array.from({ length }, (_, n) => [...letters][(seed * 31 + n * n * seed) % 5])
      .join('')
      .slice(0, length);
  const shared = long(1, 1000);
  const lengths = [0, 1, 39, 40, 41, 500, 999, 1000];
  const search = '𝒶'.repeat(700);
  let own: string;
  let people: ShownContact[];

  beforeAll(async () => {
    own = await newTeam(database);
    const records = lengths.flatMap((length) =>
      [1, 2, 3].map((seed) => ({
        unique_id: `${length}-${seed}`,
        name_first: (shared.slice(0, length) + long(seed, 1024)).slice(0, 1024).toWellFormed(),
        city: '\u0000'.repeat(1024),
        meta_public: { note: search },
      })),
    );
    const { new_contacts } = await upsertBatch(serviceOn(database), own, records.map(record));
    people = new_contacts;
  });

  /** Pages of `parameters`, each at most 2,000 characters of cursor. */
  async function paged(parameters: ListParameters, between = async (_last: ShownContact) => {}) {
    let page = await list(own, parameters);
    const shown = [...page.contacts];
    while (page.next_cursor !== undefined) {
      expect(page.next_cursor.length).toBeLessThanOrEqual(2000);
      await between(page.contacts.at(-1)!);
      page = await list(own, { ...parameters, cursor: page.next_cursor });
      shown.push(...page.contacts);
    }
    return idsOf(shown);
  }

  test.each(
    (['name_first', 'city'] as const).flatMap((sort_column) =>
      (['asc', 'desc'] as const).flatMap((sort_direction) =>
        [1, 5].map((limit) => ({ sort_column, sort_direction, limit })),
      ),
    ),
  )('continues in order, without skipping or repeating: %j', async (query) => {
    const expected = idsOf(ordered(people, query.sort_column, query.sort_direction));
    expect(await paged({ ...query, search })).toEqual(expected);
  });

  test.each([
    ['asc', null],
    ['desc', null],
    ['asc', '𝓏'],
    ['desc', '\u0000'],
  ] as const)('skips nothing if the last contact of a page changes, %s to %j', async (sort_direction, name_first) => {
    const changed = new Set<string>();
    const shown = await paged({ sort_column: 'name_first', sort_direction, limit: 7 }, async ({ id, unique_id }) => {
      if (changed.size > 0) return;
      changed.add(unique_id);
      await upsertContact(serviceOn(database), own, record({ id, unique_id, name_first }));
    });
    expect(new Set(shown)).toEqual(new Set(idsOf(people)));
  });

  test('needs a long search again, and takes no other', async () => {
    const { next_cursor: cursor } = await list(own, { search, limit: 1 });
    const refused = (sent: ListParameters) => expect(list(own, { ...sent, cursor: cursor! })).rejects;
    const path = 'search';
    await refused({}).toMatchObject({ details: [{ path, message: expect.stringContaining('sent again') }] });
    await refused({ search: `${search}𝒶` }).toMatchObject({ details: [{ path }] });
    expect((await list(own, { search, cursor: cursor! })).contacts).toHaveLength(1);
  });
});

describe('what a list costs', () => {
  const consumed: Consumed[] = [];
  let table: Database;
  beforeAll(async () => {
    table = (await freshTable({ onConsumed: (each) => consumed.push(each) })).database;
  });

  async function costOf(parameters: ListParameters & { cursor?: string }, of: string) {
    consumed.length = 0;
    const answer = await list(of, parameters, table);
    const read = consumed.reduce((sum, { readUnits }) => sum + readUnits, 0);
    return { trips: consumed.length, read, answer };
  }

  test('does not grow with the number of contacts, nor with depth by cursor', async () => {
    const own = await newTeam(table);
    await fill(own, 300, table);
    const first = await costOf({ limit: 20 }, own);
    let deep = first;
    for (let page = 0; page < 10; page++) deep = await costOf({ cursor: deep.answer.next_cursor! }, own);
    const whole = await costOf({ limit: 20, sort_column: 'city' }, own);
    // Four shards, the contacts, the team's secret; then the secret before it and a second page of a shard at most.
    expect(first.trips).toBeLessThanOrEqual(7);
    expect(deep.trips).toBeLessThanOrEqual(7);
    expect(first.read).toBeLessThanOrEqual(30);
    expect(deep.read).toBeLessThanOrEqual(first.read + 4);
    expect(whole.read).toBeGreaterThan(first.read);
  });

  test('does not grow with the number of contacts of one instant', async () => {
    const own = await newTeam(table);
    const contacts = await fillInstants(own, [3, 2000, 3], table);
    for (const sort_direction of ['asc', 'desc'] as const) {
      const expected = idsOf(ordered(contacts, 'inserted_at', sort_direction));
      let page = await costOf({ limit: 20, sort_direction }, own);
      const shown = idsOf(page.answer.contacts);
      for (let pages = 1; pages < 6; pages++) {
        expect(page.read).toBeLessThanOrEqual(40);
        page = await costOf({ cursor: page.answer.next_cursor! }, own);
        shown.push(...idsOf(page.answer.contacts));
      }
      expect(shown).toEqual(expected.slice(0, 120));
    }
  });
});

const people = [
  { unique_id: 'a', city: 'Oslo', meta_private: { note: 'secret' } },
  { unique_id: 'b', city: 'Bergen', phone_mobile: '+47 912 34 567' },
  { unique_id: 'c', city: 'Oslo' },
  { unique_id: 'd' },
];
const start = Date.UTC(2026, 0, 1);
const timeOf = (index: number) => new Date(start + index * 60_000).toISOString();
let smallTeam: string;
beforeAll(async () => {
  smallTeam = await newTeam(database);
  for (const [index, person] of people.entries()) {
    const now = () => start + index * 60_000;
    await upsertContact({ ...serviceOn(database), now }, smallTeam, record(person));
  }
});

type Options = { readsPrivate?: boolean; using?: Database; of?: string; scanUnits?: number };
const listSmall = (parameters: ListParameters & { cursor?: string }, options: Options = {}) => {
  const { readsPrivate = true, using = database, of = smallTeam, scanUnits = 1000 } = options;
  return listContacts(serviceOn(using, { scanUnits }), callerOf(of, 'client', readsPrivate), parameters);
};
const found = async (parameters: ListParameters, options?: Options) =>
  (await listSmall(parameters, options)).contacts.map(({ unique_id }) => unique_id).join('');

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
    const { contacts, ...rest } = await listSmall({ unique_id: 'b', limit: 1 });
    expect(contacts).toMatchObject([{ id: derivedContactId(smallTeam, 'b'), city: 'Bergen' }]);
    expect(rest).toEqual({ limit: 1, offset: 0, has_more: false });
    expect(await listSmall({ unique_id: 'nobody' })).toEqual({ contacts: [], limit: 20, offset: 0, has_more: false });
  });

  test('that is being renamed is empty', async () => {
    const [own, other] = ['b', 'c'].map((uniqueId) => contactKey(smallTeam, derivedContactId(smallTeam, uniqueId)));
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
  const outcome = await listSmall(parameters, { scanUnits: 0 }).catch(({ code }) => code);
  expect(outcome === 'too_many_requests').toBe(isScan);
});

test('a contact that was deleted since its index entry was read is left out', async () => {
  const { pk } = contactKey(smallTeam, derivedContactId(smallTeam, 'b'));
  const get: Database['get'] = async (keys) =>
    (await database.get(keys)).map((item) => (item?.pk === pk ? undefined : item));
  const { contacts } = await listSmall({}, { using: { ...bound(database), get } });
  expect(contacts.map(({ unique_id }) => unique_id)).toEqual(['a', 'c', 'd']);
});

describe('a cursor', () => {
  const cursorOf = async (parameters: ListParameters) => (await listSmall(parameters)).next_cursor!;
  const invalid = (...details: object[]) => ({ code: 'invalid_request', details });
  const unknown = invalid({ path: 'cursor', message: 'is not a cursor of this list' });

  test('continues the query that returned it', async () => {
    const query = { search: 'oslo', sort_column: 'unique_id', sort_direction: 'desc', limit: 1 } as const;
    const cursor = await cursorOf(query);
    const { contacts, ...rest } = await listSmall({ cursor });
    expect(contacts.map(({ unique_id }) => unique_id)).toEqual(['a']);
    expect(rest).toEqual({ limit: 1, offset: 0, has_more: false });
    expect(await listSmall({ cursor, ...query })).toEqual({ contacts, ...rest });
  });

  test('already includes the offset', async () => {
    for (const sort_column of ['inserted_at', 'unique_id'] as const) {
      const cursor = await cursorOf({ sort_column, offset: 1, limit: 1 });
      const { contacts, offset } = await listSmall({ cursor });
      expect([contacts[0]?.unique_id, offset]).toEqual(['c', 1]);
    }
  });

  test('cannot be combined with other parameters', async () => {
    const cursor = await cursorOf({ limit: 2 });
    const [limit, search] = ['limit', 'search'].map((path) => ({ path }));
    await expect(listSmall({ cursor, limit: 3 })).rejects.toMatchObject(invalid(limit!));
    await expect(listSmall({ cursor, limit: 3, search: 'x' })).rejects.toMatchObject({
      code: 'invalid_request',
      details: expect.arrayContaining([limit, search].map((each) => expect.objectContaining(each))),
    });
  });

  test('of another team, of another purpose or of another form is unknown', async () => {
    const secrets = secretsOf((await loadTeam(database, smallTeam))!);
    const cursors = [
      'x',
      encrypt(secrets, 'other', JSON.stringify({})),
      encrypt(secrets, 'contact list cursor', JSON.stringify({ old: true })),
    ];
    for (const cursor of cursors) await expect(listSmall({ cursor })).rejects.toMatchObject(unknown);
    const own = await cursorOf({ limit: 1 });
    await expect(listSmall({ cursor: own }, { of: await newTeam(database) })).rejects.toMatchObject(unknown);
  });

  test('cannot be read in a team that does not exist', async () => {
    const cursor = await cursorOf({ limit: 1 });
    const error = 'the team of the access token does not exist';
    await expect(listSmall({ cursor }, { of: randomUUID() })).rejects.toThrow(error);
  });

  test('is for this purpose only', async () => {
    const secrets = secretsOf((await loadTeam(database, smallTeam))!);
    const query = { ...{ unique_id: '', search: '', updated_since: '' }, limit: 2, offset: 0 };
    const order = { sort_column: 'unique_id', sort_direction: 'asc' };
    const text = JSON.stringify({
      query: { ...query, ...order },
      after: { value: 'b', id: derivedContactId(smallTeam, 'b') },
    });
    expect((await listSmall({ cursor: encrypt(secrets, 'contact list cursor', text) })).contacts).toHaveLength(2);
  });
});
