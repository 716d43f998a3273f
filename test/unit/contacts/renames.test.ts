import { expect, test } from 'vitest';
import { type Contact, noDetails } from '../../../lib/domain/contacts/contact.ts';
import { writeOfContact } from '../../../lib/store/contacts/contacts.ts';
import { loadIdentityItems } from '../../../lib/store/contacts/identities.ts';
import { commitRename, endMove, loadNamedContacts, type Rename } from '../../../lib/store/contacts/renames.ts';
import { loadImportState } from '../../../lib/store/imports/import-work.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';

const team = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
const time = '2026-03-01T01:00:00.000000Z';
const idOf = (uniqueId: string) => derivedContactId(team, uniqueId);

async function stored() {
  const database = new ModelDatabase();
  const contact: Contact = { ...noDetails, id: idOf('a'), unique_id: 'a', inserted_at: time, updated_at: time };
  await database.write([writeOfContact(team, contact, undefined, [], { writer: 'test' })]);
  /** What is read for a rename. */
  const read = async (from: string, to: string, freshId: string): Promise<Rename> => {
    const [old, next] = await loadNamedContacts(database, team, [from, to]);
    const { contact: renamed } = old!.stored!;
    return { from: old as Rename['from'], to: next!, renamed: { ...renamed, unique_id: to }, freshId };
  };
  const commit = (rename: Rename) => commitRename(database, team, rename);
  const identity = async (uniqueId: string) => (await loadIdentityItems(database, team, [uniqueId]))[0];
  const end = async (uniqueId: string) => endMove(database, team, uniqueId, (await identity(uniqueId))!);
  return { database, read, commit, identity, end };
}

test('a rename is not committed on what was read before another', async () => {
  const { database, read, commit, end } = await stored();
  const stale = await read('a', 'c', 'late');
  await commit(await read('a', 'b', 'fresh'));
  await end('b');
  const before = database.items;
  expect(await commit(stale)).toBe(false);
  const second = await read('b', 'c', 'second');
  const moved = { ...second.from, identity: { contact_id: 'another' } };
  expect(await commit({ ...second, from: moved })).toBe(false);
  expect(database.items).toEqual(before);
  expect(await commit(second)).toBe(true);
  expect((await loadImportState(database, team)).renames).toBe(2);
});

test('a value is not renamed again while the links of its contact are moved', async () => {
  const { database, read, commit, identity, end } = await stored();
  await commit(await read('a', 'b', 'fresh'));
  const second = await read('b', 'c', 'second');
  expect(await commit(second)).toBe(false);
  await endMove(database, team, 'b', { contact_id: idOf('a'), moving_from: 'another' });
  await endMove(database, team, 'b', { contact_id: 'another', moving_from: idOf('b') });
  expect(await identity('b')).toMatchObject({ moving_from: idOf('b') });
  await end('b');
  expect(await identity('b')).toEqual({ contact_id: idOf('a') });
  expect(await commit(second)).toBe(true);
});
