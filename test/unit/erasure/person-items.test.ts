import { describe, expect, test } from 'vitest';
import { type Contact, noDetails } from '../../../lib/domain/contacts/contact.ts';
import { withAnswer } from '../../../lib/domain/journeys/given-answer.ts';
import { saveMerged } from '../../../lib/store/accounts/accounts.ts';
import { loadContact, writeOfContact } from '../../../lib/store/contacts/contacts.ts';
import {
  deletePlaceholder,
  eraseContact,
  eraseIdentity,
  erasureOf,
  erasuresOf,
  itemsToErase,
  loadPersonItems,
  loadUniqueIdState,
  type PersonItem,
  personOf,
  placeholderWrite,
} from '../../../lib/store/erasure/person-items.ts';
import { saveAttempts } from '../../../lib/store/journeys/identity-checks.ts';
import { insertionOf, insertionsOf, responseInsertions } from '../../../lib/store/journeys/journeys.ts';
import type { Item } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { contactKey, identityKey, linkKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { journeyOf } from '../../support/samples/samples.ts';

const id = (number: number) => `8f3c1a52-7f0e-4b5d-9a63-00000000000${number}`;
const time = (hour: number) => `2026-03-01T0${hour}:00:00.000000Z`;
const [team, contactId, templateId] = [id(1), id(2), id(3)];
const place = { contactId, templateId };
const contact: Contact = { ...noDetails, id: contactId, unique_id: 'u', inserted_at: time(5), updated_at: time(5) };
const journey = journeyOf({
  ...{ id: id(4), slug: 'slug', contact_id: contactId, template_id: templateId, name: 'Journey', owner_id: null },
  ...{ source: 'api', completion_verified_at: null, inserted_at: time(1), updated_at: time(1) },
});
const action = { kind: 'viewed', page_id: id(6), at: time(2) } as const;
const response = {
  ...{ id: id(8), page_id: id(6), block_id: id(7), block_type: 'questions', answer: null, typed_name: null },
  ...{ values: [], text: '', content_revision: null, identity_proved: false, at: time(3) },
  ...{ shows_private: false, identity_facts_changed_at: null, identity_facts_changed_by: null },
};

/** A contact with an item of each kind. */
async function stored() {
  const database = new ModelDatabase();
  const write = { order: 7, outcomes: 'a', data: { role: 'joint' } };
  const link = { key: linkKey(team, contactId, '1'), stored: undefined, decision: { outcomes: [], write } };
  await saveMerged(database, [link], time(4));
  await database.write([
    writeOfContact(team, contact, undefined, [], { writer: 'test' }),
    insertionOf(team, journey, action),
  ]);
  await database.transact(insertionsOf(team, journey, time(5), undefined));
  const answers = { responses: [response], given: withAnswer([], response) };
  await database.transact(responseInsertions(team, place, { journey, given: { number: undefined } }, answers));
  await saveAttempts(database, team, contact, { count: 2, pausedUntil: null }, { version: 0 } as never);
  const items = await loadPersonItems(database, team, contactId);
  const of = (kind: PersonItem['kind']) => items.find((each) => each.kind === kind)!;
  return { database, items, of };
}
const kindsOf = (items: readonly PersonItem[]) => items.map(({ kind }) => kind);

describe('the items of a person', () => {
  test('have their contents by kind', async () => {
    const { items } = await stored();
    const { stored: self, ...person } = personOf(items);
    expect(self!.contact).toEqual(contact);
    expect(person).toEqual({
      targeted: [],
      earlierConsent: [],
      messages: [],
      verifications: [],
      links: [{ account_number: '1', role: 'joint', inserted_at: time(4), updated_at: time(4) }],
      journeys: [journey],
      actions: [{ template_id: templateId, ...action }],
      answers: [{ template_id: templateId, id: id(8), page_id: id(6), block_id: id(7), answer: null, at: time(3) }],
      responses: [response],
      attempts: { count: 2, pausedUntil: null },
    });
    expect(personOf([])).toMatchObject({ stored: undefined, links: [], attempts: undefined });
  });

  const ofAnother = ['links', 'journeys', 'actions', 'responses'];
  const rest = ['journeys', 'actions', 'identity_attempts', 'responses'];
  test.each([
    ['all but the contact, if it is gone', [], 7, ['links', ...rest]],
    ['no link of a later chunk', [], 6, rest],
    // Also if the clock of the instance that created it was behind.
    ['what was of another contact with the same id', [{ ...contact, inserted_at: time(0) }], 7, ofAnother],
    ['nothing that is of the contact', [contact], 0, []],
  ] as const)('to erase are %s', async (_, contacts, order, expected) => {
    const { items } = await stored();
    const others = items.filter(({ kind }) => kind !== 'contacts');
    const own = contacts.map((each): PersonItem => {
      const write = writeOfContact(team, each, undefined, [], { writer: 'test' });
      return { kind: 'contacts', item: (write as Extract<typeof write, { kind: 'insert' }>).item };
    });
    expect(kindsOf(itemsToErase([...own, ...others], order)).sort()).toEqual([...expected].sort());
  });

  test('are erased in transactions that have room for the state of the erasure', async () => {
    const { database, of } = await stored();
    const many = Array.from({ length: 250 }, () => of('actions'));
    const groups = await erasuresOf(database, team, many);
    expect(Math.max(...groups.map(({ writes }) => writes.length))).toBeLessThan(100);
  });

  test('to erase do not depend on a placeholder', async () => {
    const { items } = await stored();
    const placeholder = {
      kind: 'contacts',
      item: { ...contactKey(team, contactId), moved_to: 'x', inserted_at: time(1) },
    } as const;
    const others = items.filter(({ kind }) => kind !== 'contacts');
    expect(itemsToErase([placeholder, ...others], 7)).toEqual(others);
  });
});

test('an item of another form is an error that names its kind', () => {
  const link = { ...linkKey(team, contactId, '1'), order: 1, outcomes: 'a', data: '{"role":null}', inserted_at: 1 };
  expect(() => personOf([{ kind: 'links', item: link }])).toThrow('a stored link is invalid: inserted_at');
  const placeholder = { ...contactKey(team, contactId), moved_to: 1 };
  expect(() => deletePlaceholder(placeholder)).toThrow('a stored placeholder is invalid: moved_to');
});

describe('the erasure of an item', () => {
  test('of a link fails if a later chunk has changed it', async () => {
    const { database, of } = await stored();
    const { item } = of('links');
    const writes = erasureOf(team, of('links'));
    database.damage(item, { order: 8 });
    expect(await database.transact(writes)).toBe(false);
    database.damage(item, { order: 7 });
    expect(await database.transact(writes)).toBe(true);
    expect(database.read(item)).toBeUndefined();
  });
});

describe('the contact', () => {
  const load = async (database: ModelDatabase) => database.read(contactKey(team, contactId));

  test.each([false, true])(
    'is erased only as it was read (and leaves a placeholder: %s)',
    async (leavesPlaceholder) => {
      const { database, of } = await stored();
      const { item } = of('contacts');
      expect(await database.transact([eraseContact(item, 2, leavesPlaceholder)])).toBe(false);
      expect(await database.transact([eraseContact(item, 1, leavesPlaceholder)])).toBe(true);
      const left = leavesPlaceholder ? { ...contactKey(team, contactId), moved_to: 'erased' } : undefined;
      expect(await load(database)).toEqual(left);
      expect(await loadContact(database, team, contactId)).toBeUndefined();
    },
  );

  test('cannot be created where a placeholder is, until it is deleted', async () => {
    const database = new ModelDatabase();
    expect(await database.transact([placeholderWrite(team, contactId)])).toBe(true);
    const write = writeOfContact(team, contact, undefined, [], { writer: 'test' });
    expect(await database.write([write])).toEqual([false]);
    const item = (await load(database)) as Item;
    expect(item.moved_to).toBe('erased');
    const deletion = deletePlaceholder(item);
    database.damage(item, { moved_to: 'another' });
    expect(await database.transact(deletion)).toBe(false);
    expect(await database.transact(deletePlaceholder((await load(database))!))).toBe(true);
    expect(await database.write([write])).toEqual([true]);
  });
});

describe('a value that names the person', () => {
  const derivedId = derivedContactId(team, 'u');
  const key = identityKey(team, 'u');

  test.each([
    ['is free', undefined, undefined],
    ['names another id', 'fresh', { contact_id: 'fresh' }],
  ])('%s after its erasure, unless it has changed', async (_, freshId, left) => {
    const database = new ModelDatabase();
    const placeholder = { ...contactKey(team, derivedId), moved_to: contactId };
    const item = { ...key, contact_id: contactId };
    await database.write([item, placeholder].map((each) => ({ kind: 'insert', item: each })));
    const state = await loadUniqueIdState(database, team, 'u');
    expect(state).toEqual({
      uniqueId: 'u',
      identity: { contact_id: contactId },
      contactId,
      derivedId,
      derived: placeholder,
    });
    const writes = eraseIdentity(team, state, freshId);
    for (const changed of [{ contact_id: 'other' }, { contact_id: contactId, moving_from: derivedId }]) {
      database.damage(key, changed);
      expect(await database.transact(writes)).toBe(false);
    }
    database.damage(key);
    await database.write([{ kind: 'insert', item }]);
    expect(await database.transact(writes)).toBe(true);
    expect(database.read(key)).toEqual(left && { ...key, ...left });
  });
});
