import { beforeEach, describe, expect, test } from 'vitest';
import { listContacts } from '../../../lib/operations/contacts/list.ts';
import { loadLinks } from '../../../lib/store/accounts/accounts.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { loadImportState } from '../../../lib/store/imports/import-work.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { callerOf, serviceOn, updateContact, upsertBatch } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';
import { database, idOf, make, newTeam, rename, team, upsert } from './renames.ts';

beforeEach(newTeam);

describe('a change of unique_id', () => {
  test('keeps the contact, frees the old value and takes the new one', async () => {
    const { contact } = await upsert('a', { name_first: 'Ann', meta_public: { k: 1 } });
    // The clock has milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 2));
    const renamed = await rename('a', 'b');
    expect(renamed).toMatchObject({
      id: contact.id,
      unique_id: 'b',
      name_first: 'Ann',
      inserted_at: contact.inserted_at,
    });
    expect(renamed.updated_at > contact.updated_at).toBe(true);
    expect((await loadContact(database, team, contact.id))?.contact).toEqual(renamed);
    expect(await upsert('b', { city: 'Oslo' })).toMatchObject({
      created: false,
      contact: { id: contact.id, city: 'Oslo' },
    });
    const other = await upsert('a');
    expect(other).toMatchObject({ created: true, contact: { unique_id: 'a', name_first: null } });
    expect(other.contact.id).not.toBe(contact.id);
  });

  test('shows in lists and search at once', async () => {
    await make('old-value');
    await rename('old-value', 'new-value');
    const find = async (search: string) => {
      return (
        await listContacts({ ...serviceOn(database), scanUnits: 1000 }, callerOf(team), {
          search,
          limit: 20,
          offset: 0,
        })
      ).contacts.map((each) => each.unique_id);
    };
    expect(await find('new-value')).toEqual(['new-value']);
    expect(await find('old-value')).toEqual([]);
  });

  test('goes through chains and back again, each value naming one contact at a time', async () => {
    const x = await make('a');
    await rename('a', 'b');
    await rename('b', 'c');
    expect([await idOf('a'), await idOf('b'), await idOf('c')]).toEqual([undefined, undefined, x]);
    const second = await make('b');
    await rename('c', 'a');
    expect([await idOf('a'), await idOf('b'), await idOf('c')]).toEqual([x, second, undefined]);
    await rename('b', 'swap');
    await rename('a', 'b');
    await rename('swap', 'a');
    expect([await idOf('a'), await idOf('b'), await idOf('swap')]).toEqual([second, x, undefined]);
    for (let n = 0; n < 3; n++) {
      await rename('b', 'c');
      await rename('c', 'b');
    }
    expect([await idOf('b'), await idOf('c')]).toEqual([x, undefined]);
  });

  test('works in batches, where either value may come in one request', async () => {
    const x = await make('a');
    await rename('a', 'b');
    const batch = ['b', 'a', 'b'].map((unique_id) => record({ unique_id }));
    const answer = await upsertBatch(serviceOn(database), team, batch);
    expect(answer.existing_contacts.map(({ id }) => id)).toEqual([x]);
    expect(answer.new_contacts.map(({ unique_id }) => unique_id)).toEqual(['a']);
  });

  test('lets the contact be updated by its id under the new value alone', async () => {
    const x = await make('a');
    await rename('a', 'b');
    const update = (unique_id: string) => updateContact(serviceOn(database), team, x, record({ unique_id }));
    expect(await update('b')).toMatchObject({ contact: { id: x, unique_id: 'b' } });
    await expect(update('a')).rejects.toMatchObject({ details: [{ path: '/unique_id' }] });
  });

  test('is refused where the old value names nobody, and changes nothing', async () => {
    const unknown = { path: '/from', message: 'there is no contact with this unique_id' };
    await make('b');
    await rename('b', 'c');
    for (const nobody of ['b', 'never', '']) {
      const refused = rename(nobody, 'd');
      await expect(refused).rejects.toMatchObject({ code: 'not_found', details: [unknown] });
    }
    expect((await loadImportState(database, team)).renames).toBe(1);
  });

  test('is refused where the new value is taken, judged by whom it names now', async () => {
    await make('a');
    const b = await make('b');
    const details = [{ path: '/to', message: 'is the unique_id of another contact' }];
    const taken = { code: 'validation_failed', details };
    await expect(rename('a', 'b')).rejects.toMatchObject(taken);
    await rename('b', 'c');
    await expect(rename('a', 'c')).rejects.toMatchObject(taken);
    expect((await rename('a', 'b')).unique_id).toBe('b');
    expect(await idOf('c')).toBe(b);
  });

  test.each([
    ['the old one', 'a', 'is already the unique_id of the contact'],
    ['blank', ' \t', 'must not be blank'],
    ['longer than 1,024 bytes', 'é'.repeat(513), expect.stringMatching('1,?024')],
  ])('is refused where the new value is %s', async (_, to, message) => {
    await make('a');
    const details = [{ path: '/to', message }];
    await expect(rename('a', to)).rejects.toMatchObject({ code: 'validation_failed', details });
  });

  test('leaves no contact to be read in the place where the new value would have been created', async () => {
    await make('a');
    await rename('a', 'b');
    const place = derivedContactId(team, 'b');
    expect(await loadContact(database, team, place)).toBeUndefined();
    expect((await loadLinks(database, team, place)).exists).toBe(false);
  });
});
