import { describe, expect, test } from 'vitest';
import type { Contact } from '../../../lib/domain/contacts/contact.ts';
import {
  type DeclaredLookup,
  declaredField,
  declaredLookup,
  declaredLookups,
  fitSlots,
  isMatch,
  lookupField,
  lookupFieldName,
  requestedLookup,
} from '../../../lib/domain/contacts/lookup.ts';
import { parseJson } from '../../../lib/domain/values/json.ts';
import { type ErrorDetail, Problem } from '../../../lib/domain/values/problem.ts';
import { writeOfContact } from '../../../lib/store/contacts/contacts.ts';
import { scannedContacts } from '../../../lib/store/contacts/lookups.ts';
import { bound, type Database, type QueryInput } from '../../../lib/store/table/database.ts';
import { contactKey } from '../../../lib/store/table/keys.ts';
import { freshTable } from '../../support/engine/engine.ts';
import { contactOf } from '../../support/samples/samples.ts';

test.each([
  ['email', 'email'],
  ['id', 'id'],
  ['unsubscribe_sms', 'unsubscribe_sms'],
  ['meta_private[core_id]', 'meta_private[core_id]'],
  ['meta_public[a][b][0]', 'meta_public[a.b.0]'],
  ['meta_private[a.b]', 'meta_private[a.b]'],
  ['meta_private[ a\n]', 'meta_private[ a\n]'],
])('%j names the field %j', (text, name) => {
  const field = lookupField(text);
  expect(typeof field === 'object' && lookupFieldName(field)).toBe(name);
});

test.each(['', 'Email', 'email ', 'email[a]', 'completions', 'data', '__proto__', 'journey', 'meta_private.a', '[a]'])(
  '%j is not a field',
  (text) => {
    expect(lookupField(text)).toBe('is not a field of a contact');
  },
);

test.each([
  'meta_private',
  'meta_private[]',
  'meta_private[a',
  'meta_private[a][]',
  'meta_private[][a]',
  'meta_private[a]b',
])('%j lacks a key', (text) => {
  expect(lookupField(text)).toBe('requires a key, as in meta_private[key]');
});

const requested = (...parameters: [string, string][]) => {
  try {
    return requestedLookup(parameters);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { code: error.code, details: error.details };
  }
};

test('a request looks up one field', () => {
  expect(requested(['email', 'a@x'])).toEqual({ field: { name: 'email' }, value: 'a@x' });
});

const only = 'must be the only query parameter, and sent only once';
test.each<[parameters: [string, string][], details: ErrorDetail[]]>([
  [[], [{ path: '', message: 'requires a query parameter: a field of a contact' }]],
  [[['nickname', 'x']], [{ path: 'nickname', message: 'is not a field of a contact' }]],
  [
    [
      ['email', 'a'],
      ['email', 'a'],
    ],
    [{ path: 'email', message: only }],
  ],
  [
    [
      ['email', 'a'],
      ['city', 'b'],
    ],
    [
      { path: 'email', message: only },
      { path: 'city', message: only },
    ],
  ],
])('a request with the parameters %j is an error', (parameters, details) => {
  expect(requested(...parameters)).toEqual({ code: 'invalid_request', details });
});

test('several parameters are named, each once, up to the limit of faults', () => {
  const pairs = Array.from({ length: 300 }, (_, n): [string, string] => [`p${n % 150}`, 'x']);
  expect(requested(...pairs)).toHaveProperty('details.length', 100);
});

const contact = contactOf({
  ...{
    id: 'i',
    updated_at: '2026-02-01T00:00:00.000000Z',
    email: 'Ann@x',
    phone_mobile: '15551234567',
    phone_work: '6581234567',
  },
  ...{ email_opted_in: true, sms_opted_in: false, meta_public: { 'a.b': 1.5, flag: false, none: null } },
});
test.each<[name: string, value: string, expected: boolean]>([
  ['id', 'i', true],
  ['id', 'I', true],
  ['unique_id', 'u', true],
  ['unique_id', 'U', false],
  ['email', 'Ann@x', true],
  ['email', 'ann@x', false],
  ['inserted_at', '2026-01-01T00:00:00.000000Z', true],
  ['updated_at', '2026-02-01T00:00:00.000000Z', true],
  ['phone_mobile', '(555) 123-4567', true],
  ['phone_mobile', '005551234567', false],
  ['phone_mobile', 'call', false],
  ['phone_work', '6581234567', true],
  ['phone_work', '+65 8123 4567', true],
  ['phone_work', '16581234567', false],
  ['phone_home', '', false],
  ['email_opted_in', 'true', true],
  ['unsubscribe_email', 'false', true],
  ['unsubscribe_sms', 'true', true],
  ['email_verified', 'null', false],
  ['meta_public[a][b]', '1.5', true],
  ['meta_public[flag]', 'false', true],
  ['meta_public[none]', 'null', false],
  ['meta_public[constructor]', String(Object), false],
  ['meta_private[a]', '1', false],
  ['city', 'undefined', false],
])('the contact matches %s=%s: %s', (name, value, expected) => {
  const lookup = requestedLookup([[name, value]]);
  expect(isMatch(contact, lookup)).toBe(expected);
});

const direct = 'must not be declared: id and unique_id can always be looked up';
test.each([
  ['id', direct],
  ['unique_id', direct],
  ['nickname', 'is not a field of a contact'],
  ['meta_private', 'requires a key, as in meta_private[key]'],
  [5, 'must be a string'],
  ['email', undefined],
])('%s declared has the error: %s', (name, message) => {
  expect(declaredField().safeParse(name).error?.issues[0]?.message).toBe(message);
});

test('a stored declaration has a slot from 1 to 4', () => {
  for (const slot of [1, 2, 3, 4] as const) {
    expect(declaredLookup.parse(declaration(slot, 'email'))).toEqual(declaration(slot, 'email'));
  }
  expect(declaredLookup.safeParse({ ...declaration(1, 'email'), slot: 5 }).success).toBe(false);
});

test('four fields fit, however often and in whichever way each is named', () => {
  const four = ['email', 'meta_private[a][b]', 'meta_private[a.b]', 'phone_mobile', 'email', 'city'];
  expect(fitSlots(four)).toBe(true);
  expect(fitSlots([...four, 'nickname'])).toBe(true);
  expect(fitSlots([...four, 'state'])).toBe(false);
});

const [before, now] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
const declaration = (slot: 1 | 2 | 3 | 4, field: string, filled = true) => ({
  slot,
  field,
  filled,
  declared_at: before,
});

test('a field that stays declared keeps its slot; a new one takes a free slot and is yet to be filled', () => {
  const stored = [declaration(1, 'email'), declaration(2, 'city'), declaration(3, 'state', false)];
  expect(declaredLookups(stored, ['state', 'meta_private[a][b]', 'email'], now)).toEqual([
    declaration(1, 'email'),
    { slot: 2, field: 'meta_private[a.b]', filled: false, declared_at: now },
    declaration(3, 'state', false),
  ]);
});

test('a field that was given up and is declared again is filled in again', () => {
  const none = declaredLookups([declaration(1, 'email')], [], now);
  expect(none).toEqual([]);
  expect(declaredLookups(none, ['email'], now)).toEqual([{ slot: 1, field: 'email', filled: false, declared_at: now }]);
});

const { database } = await freshTable();

/** A team with these contacts, and a database that records the queries. */
async function institution(contacts: readonly Partial<Contact>[], lookups: readonly DeclaredLookup[] = []) {
  const team = crypto.randomUUID();
  const ids: string[] = contacts.map(() => crypto.randomUUID());
  const writes = contacts.map((fields, at) => {
    const contact = contactOf({ id: ids[at]!, unique_id: `u${at}`, ...fields });
    return writeOfContact(team, contact, undefined, lookups, { writer: 'test' });
  });
  await database.write(writes);
  const queries: QueryInput[] = [];
  const query: Database['query'] = (input) => {
    queries.push(input);
    return database.query(input);
  };
  const numbersOf = (found: readonly string[]) => found.map((id) => ids.indexOf(id)).sort();
  const scan = async (name: string, value: string, from: Database = { ...bound(database), query }) => {
    const field = lookupField(name);
    if (typeof field === 'string') throw new Error(field);
    const found: string[] = [];
    for await (const id of scannedContacts(from, team, { field, value })) found.push(id);
    return numbersOf(found);
  };
  return { team, ids, numbersOf, scan, queries };
}

describe('a scan of the directory', () => {
  const contacts: Partial<Contact>[] = [
    { email: 'x@y.z', city: 'Oslo', sms_verified: true, phone_mobile: '15550100001' },
    { email: 'X@y.z', city: 'oslo', sms_verified: false },
    { email: 'ax@y.z', city: 'Oslo', meta_private: { key: 'x@y.z', flag: true } },
    { meta_public: { key: 'x@y.z', n: parseJson('12.50') as never, flag: false, text: 'true' } },
  ];
  // An entry has its values in lower case, and no booleans of metadata.
  test.each([
    ['email', 'x@y.z', [0], 'x@y.z'],
    ['email', 'X@y.z', [1], 'x@y.z'],
    ['city', 'Oslo', [0, 2], 'oslo'],
    ['city', 'oslo', [1], 'oslo'],
    ['sms_verified', 'true', [0], undefined],
    ['sms_verified', 'false', [1], undefined],
    ['unique_id', 'u2', [2], 'u2'],
    ['phone_mobile', '(555) 010-0001', [0], '15550100001'],
    ['meta_private[key]', 'x@y.z', [2], 'x@y.z'],
    ['meta_private[key]', 'X@y.z', [], 'x@y.z'],
    ['meta_public[key]', 'x@y.z', [3], 'x@y.z'],
    ['meta_public[n]', '12.50', [3], '12.50'],
    ['meta_private[flag]', 'true', [2], undefined],
    ['meta_public[flag]', 'false', [3], undefined],
    ['meta_public[text]', 'true', [3], undefined],
    ['meta_public[none]', 'x@y.z', [], 'x@y.z'],
  ])('for %s=%s finds the contacts %j among the rows with %s', async (name, value, found, rowContains) => {
    const { scan, queries } = await institution(contacts);
    expect(await scan(name, value)).toEqual(found);
    expect([...new Set(queries.map((query) => query.rowContains))]).toEqual([rowContains]);
    expect(queries.filter(({ descending }) => descending)).toEqual([]);
  });

  test('for a value that no contact can have reads nothing', async () => {
    const { scan, queries } = await institution(contacts);
    expect(await scan('phone_mobile', 'none')).toEqual([]);
    expect(queries).toEqual([]);
  });

  test('reads only the contacts whose entries match, and leaves out one that is gone', async () => {
    const { team, ids, scan } = await institution(contacts);
    const read: string[] = [];
    const get: Database['get'] = async (keys) => {
      read.push(...keys.map(({ pk }) => pk));
      return (await database.get(keys)).map((item) => (item?.unique_id === 'u0' ? undefined : item));
    };
    expect(await scan('email', 'x@y.z', { ...bound(database), get })).toEqual([]);
    expect(read.sort()).toEqual([0, 1].map((at) => contactKey(team, ids[at]!).pk).sort());
  });
});
