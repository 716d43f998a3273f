import { expect, test } from 'vitest';
import { type Contact, noDetails } from '../../../lib/domain/contacts/contact.ts';
import type { DeclaredLookup } from '../../../lib/domain/contacts/lookup.ts';
import { loadContact, serializeDetails, storedContact, writeOfContact } from '../../../lib/store/contacts/contacts.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { contactKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { contactOf } from '../../support/samples/samples.ts';

const team = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const [early, late] = ['2026-03-01T01:00:00.000000Z', '2026-03-01T02:00:00.000000Z'];
const contact = (unique_id: string, changes: Partial<Contact> = {}) =>
  contactOf({ id: derivedContactId(team, unique_id), unique_id, inserted_at: early, updated_at: early, ...changes });

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
