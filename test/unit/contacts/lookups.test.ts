import { describe, expect, test } from 'vitest';
import type { Contact } from '../../../lib/domain/contacts/contact.ts';
import { type DeclaredLookup, lookupField } from '../../../lib/domain/contacts/lookup.ts';
import { parseJson } from '../../../lib/domain/values/json.ts';
import { writeOfContact } from '../../../lib/store/contacts/contacts.ts';
import { scannedContacts } from '../../../lib/store/contacts/lookups.ts';
import { bound, type Database, type QueryInput } from '../../../lib/store/table/database.ts';
import { contactKey } from '../../../lib/store/table/keys.ts';
import { freshTable } from '../../support/engine/engine.ts';
import { contactOf } from '../../support/samples/samples.ts';

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
