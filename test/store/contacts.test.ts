import { expect, test } from 'vitest';
import { type Contact, noDetails } from '../../lib/domain/contact.ts';
import { directoryRow } from '../../lib/domain/directory.ts';
import type { DeclaredLookup } from '../../lib/domain/lookup.ts';
import {
  loadByUniqueId,
  loadContact,
  serializeDetails,
  storedContact,
  writeOfContact,
  writeOfEntries,
} from '../../lib/store/contacts.ts';
import { derivedContactId } from '../../lib/store/ids.ts';
import { contactKey, directoryKey, identityKey, lookupPartition } from '../../lib/store/keys.ts';
import { ModelDatabase } from '../support/model-database.ts';

const team = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const [early, late] = ['2026-03-01T01:00:00.000000Z', '2026-03-01T02:00:00.000000Z'];
const contact = (uniqueId: string, changes: Partial<Contact> = {}): Contact => ({
  ...noDetails,
  id: derivedContactId(team, uniqueId),
  unique_id: uniqueId,
  inserted_at: early,
  updated_at: early,
  ...changes,
});
const lookup = (slot: DeclaredLookup['slot'], field: string): DeclaredLookup => ({
  ...{ slot, field, filled: true, declared_at: early },
});
const entryOf = (field: string, value: string) => lookupPartition(team, field, value);

/** A database in which the contact is stored, and how it is read. */
async function stored(of: Contact, lookups: readonly DeclaredLookup[] = [], callId?: string) {
  const database = new ModelDatabase();
  const save = (next: Contact, before?: Awaited<ReturnType<typeof load>>, ...rest: [DeclaredLookup[]?, string?]) =>
    database.write([writeOfContact(team, next, before, rest[0] ?? [], { writer: 'test', callId: rest[1] })]);
  const load = () => loadContact(database, team, of.id);
  await database.write([writeOfContact(team, of, undefined, lookups, { writer: 'test', callId })]);
  return { database, save, load };
}

test('equal details are stored as equal texts, without what is not set', () => {
  const completions = (...ids: string[]) =>
    serializeDetails({ ...noDetails, completions: Object.fromEntries(ids.map((id) => [id, early])) });
  const sorted = `{"completions":{"a":"${early}","b":"${early}","c":"${early}","d":"${early}"}}`;
  for (const ids of ['abcd', 'dcba', 'cadb', 'bdac']) expect(completions(...ids)).toBe(sorted);
  expect(serializeDetails(noDetails)).toBe('{}');
  const details = { ...noDetails, name_first: 'Ann', sms_verified: false, meta_public: { n: 1 } };
  expect(JSON.parse(serializeDetails(details))).toEqual({
    name_first: 'Ann',
    sms_verified: false,
    meta_public: { n: 1 },
  });
});

test('a new contact is stored with its entry in the directory and the call that created it', async () => {
  const ann = contact('a', { name_first: 'Ann', completions: { goal: early } });
  const { database, load } = await stored(ann, [], 'call');
  expect(database.read(contactKey(team, ann.id))).toMatchObject({
    ...directoryKey(team, ann.id, early),
    row: directoryRow(ann),
    version: 1,
  });
  expect(await load()).toEqual({
    contact: ann,
    version: 1,
    entries: {},
    creationId: 'call',
    callId: undefined,
    former: [],
    factsChange: undefined,
  });
});

test('a contact is changed only as it was read, and each change has a version of its own', async () => {
  const { save, load } = await stored(contact('a'), [], 'creation');
  const before = await load();
  expect(await save(contact('a', { city: 'Oslo' }), before, [], 'call')).toEqual([true]);
  expect(await save(contact('a', { city: 'Rome' }), before)).toEqual([false]);
  const changed = await load();
  expect(changed).toMatchObject({ contact: { city: 'Oslo' }, version: 2, creationId: 'creation', callId: 'call' });
  await save(contact('a', { city: 'Rome' }), changed);
  expect(await load()).toMatchObject({ contact: { city: 'Rome' }, version: 3, callId: 'call' });
});

test('a contact with another unique_id knows the former ones', async () => {
  const { save, load } = await stored(contact('a'));
  const id = derivedContactId(team, 'a');
  await save(contact('b', { id, updated_at: late }), await load());
  await save(contact('c', { id, updated_at: late }), await load());
  expect(await load()).toMatchObject({
    contact: { id, unique_id: 'c' },
    former: [
      { unique_id: 'a', until: late },
      { unique_id: 'b', until: late },
    ],
  });
});

test.each([
  ['a new birthdate', { birthdate: '1980-01-02' }, 'changed'],
  ['another phone', { phone_home: '5550101' }, 'changed'],
  ['another post code', { post_code: null }, 'changed'],
  ['another city', { city: 'Oslo' }, 'first'],
  ['the same phone', { phone_home: '5550100' }, 'first'],
] as const)('%s: what proves the identity was changed by the writer of the %s value', async (_, fields, by) => {
  const first = contact('a', { phone_home: '5550100', post_code: '1' });
  const { database, load } = await stored(contact('b'));
  expect((await load())!.factsChange).toBeUndefined();
  await database.write([writeOfContact(team, first, undefined, [], { writer: 'first' })]);
  const before = await loadContact(database, team, first.id);
  const next = { ...first, ...fields, updated_at: late };
  await database.write([writeOfContact(team, next, before, [], { writer: 'changed' })]);
  const { factsChange } = (await loadContact(database, team, first.id))!;
  expect(factsChange).toEqual({ by, at: by === 'first' ? early : late });
});

test('a placeholder is no contact', () => {
  expect(storedContact({ ...contactKey(team, 'x'), moved_to: 'y' })).toBeUndefined();
});

test('a contact is in the indexes of the declared fields under its values', async () => {
  const lookups = [lookup(1, 'email'), lookup(2, 'city'), lookup(3, 'meta_private[core_id]')];
  const ann = contact('a', { email: 'a@b.c', meta_private: { core_id: 7 } });
  const { database, save, load } = await stored(ann, lookups);
  const first = { lookup_1: entryOf('email', 'a@b.c'), lookup_3: entryOf('meta_private[core_id]', '7') };
  expect((await load())!.entries).toEqual(first);
  await save({ ...ann, email: null, city: 'Oslo' }, await load(), lookups);
  expect((await load())!.entries).toEqual({ lookup_2: entryOf('city', 'Oslo'), lookup_3: first.lookup_3 });
  expect(Object.keys(database.read(contactKey(team, ann.id))!)).not.toContain('lookup_1');
});

test('a contact gets the entries of a field that was declared later, as it was read', async () => {
  const ann = contact('a', { email: 'a@b.c' });
  const { database, load } = await stored(ann);
  const before = (await load())!;
  const lookups = [lookup(1, 'email')];
  const write = writeOfEntries(team, before, lookups)!;
  expect(await database.write([write])).toEqual([true]);
  expect(await database.write([write])).toEqual([false]);
  const after = (await load())!;
  expect(after).toMatchObject({ version: 2, entries: { lookup_1: entryOf('email', 'a@b.c') } });
  expect(writeOfEntries(team, after, lookups)).toBeUndefined();
});

test('a value that was part of a rename names the contact of its identity item, and no value names it twice', async () => {
  const { database, save, load } = await stored(contact('old'));
  const id = derivedContactId(team, 'old');
  await save(contact('new', { id }), await load());
  await database.write([
    { kind: 'insert', item: { ...identityKey(team, 'new'), contact_id: id } },
    { kind: 'insert', item: { ...identityKey(team, 'free'), contact_id: 'fresh' } },
    writeOfContact(team, contact('other'), undefined, [], { writer: 'test' }),
  ]);
  const found = await loadByUniqueId(database, team, ['other', 'new', 'free', 'nobody', 'old']);
  expect([...found].map(([uniqueId, resolved]) => [uniqueId, resolved.id, resolved.stored?.contact.unique_id])).toEqual(
    [
      ['other', derivedContactId(team, 'other'), 'other'],
      ['new', id, 'new'],
      ['free', 'fresh', undefined],
      ['nobody', derivedContactId(team, 'nobody'), undefined],
    ],
  );
});
