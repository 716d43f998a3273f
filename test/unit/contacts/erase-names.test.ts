import { beforeEach, describe, expect, test } from 'vitest';
import { changeUniqueId } from '../../../bin/admin/operations/contacts/change-unique-id.ts';
import { loadLinks } from '../../../lib/store/accounts/accounts.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { bound, type Database, type Write } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { contactKey, identityKey } from '../../../lib/store/table/keys.ts';
import { putContent } from '../../support/operations/content.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { mapping, PersonWorld } from '../../support/operations/person-world.ts';
import { record } from '../../support/samples/contacts.ts';

let world: PersonWorld;
beforeEach(async () => {
  world = await PersonWorld.open();
});

const idOf = async (uniqueId: string) => (await world.post(uniqueId)).contact.id;
const derived = (uniqueId: string) => derivedContactId(world.teamId, uniqueId);

describe('the values of an erased person', () => {
  test('lead nowhere else when another contact has a former one', async () => {
    await idOf('a');
    await world.rename('a', 'b');
    const bob = await idOf('a');
    expect((await world.erase('b')).counts).toMatchObject({ contacts: 1, identities: 1 });
    expect(await idOf('a')).toBe(bob);
    expect(await idOf('b')).toBe(derived('b'));
  });

  test('lead nowhere else when another contact had the present one', async () => {
    const bob = await idOf('b');
    await world.rename('b', 'x');
    const ann = await idOf('a');
    await world.rename('a', 'b');
    await world.erase('b');
    expect((await loadContact(world.database, world.teamId, bob))?.contact.unique_id).toBe('x');
    expect([bob, ann]).not.toContain(await idOf('b'));
    expect(await idOf('a')).toBe(ann);
  });

  test('lead nowhere else when another contact had a former one before', async () => {
    const bob = await idOf('a');
    await world.rename('a', 'x');
    await idOf('c');
    await world.rename('c', 'a');
    await world.rename('a', 'd');
    await world.erase('d');
    expect(await idOf('a')).not.toBe(bob);
    expect((await loadContact(world.database, world.teamId, bob))?.contact.unique_id).toBe('x');
  });

  test('leave no placeholder at the id of a contact that had a value after a rename', async () => {
    await idOf('a');
    await world.rename('a', 'b');
    const bob = await idOf('a');
    await world.erase('a');
    expect(await world.database.get([contactKey(world.teamId, bob)])).toEqual([undefined]);
    expect([bob, derived('a'), derived('b')]).not.toContain(await idOf('a'));
  });

  test('lead a request that has read the identity of a former one to a new contact', async () => {
    await idOf('a');
    await world.rename('a', 'b');
    let isErased = false;
    const outdated: Database = {
      ...bound(world.database),
      write: async (writes) => {
        if (!isErased) await world.erase('b');
        isErased = true;
        return world.database.write(writes);
      },
    };
    const late = await upsertContact(serviceOn(outdated), world.teamId, record({ unique_id: 'a' }));
    expect(late).toMatchObject({ created: true, contact: { id: derived('a') } });
    expect(await idOf('a')).toBe(derived('a'));
  });

  test('are deleted from the indexes of declared fields', async () => {
    const lookup_fields = ['email', 'city'];
    const engagement_channels = [{ id: crypto.randomUUID(), name: 'Web', lookup_fields }];
    await putContent(world.database, world.teamId, { engagement_channels });
    await world.post('a', { email: 'a@example.com' });
    const counts = { contacts: 1, lookup_entries: 1, directory_entries: 1 };
    expect((await world.erase('a')).counts).toEqual(counts);
    expect(await world.traces(['a@example.com'])).toEqual([]);
  });

  test('are all free after a way there and back', async () => {
    const ann = await idOf('a');
    await world.rename('a', 'b');
    await world.rename('b', 'a');
    expect((await world.erase('a')).counts).toEqual({ contacts: 1, directory_entries: 1, identities: 2 });
    const identities = ['a', 'b'].map((value) => identityKey(world.teamId, value));
    expect(await world.database.get(identities)).toEqual([undefined, undefined]);
    expect([await idOf('a'), await idOf('b')]).toEqual([ann, derived('b')]);
  });

  test('keep links that wait under a former one for somebody else', async () => {
    await idOf('a');
    await world.rename('a', 'b');
    await world.accept('later', 0, [mapping('1', 'a')]);
    await world.work();
    await world.erase('b');
    const next = await world.export('a');
    expect(next.links.map(({ account_number }) => account_number)).toEqual(['1']);
    expect(next.chunk_records).toHaveLength(1);
  });

  test('lead to no link that an interrupted rename has not moved yet', async () => {
    const ann = await idOf('a');
    await world.accept('early', 0, [mapping('1', 'b')]);
    await world.work();
    // The first transaction renames the contact, the next ones move its links.
    const killed = world.dying(new Error('killed'));
    const renaming = { ...serviceOn(killed), newId: crypto.randomUUID.bind(crypto) };
    await expect(changeUniqueId(renaming, world.teamId, { from: 'a', to: 'b' })).rejects.toThrow('killed');
    const linksOf = async (id: string) => (await loadLinks(world.database, world.teamId, id)).links.length;
    expect([await linksOf(ann), await linksOf(derived('b'))]).toEqual([0, 1]);
    expect((await world.erase('b')).counts).toMatchObject({ contacts: 1, links: 1 });
    expect([await linksOf(ann), await linksOf(derived('b'))]).toEqual([0, 0]);
  });

  test('are kept when the contact is renamed after its erasure has begun', async () => {
    const ann = await idOf('a');
    await world.put('contacts/late.csv', ['unique_id', 'a']);
    const wait = async () => {
      await world.readFile('contacts/late.csv');
      await world.rename('a', 'b');
    };
    await expect(world.erase('a', { wait })).rejects.toMatchObject({
      code: 'conflict',
      details: [{ path: '', message: expect.stringContaining('unique_id of the contact was changed') }],
    });
    expect((await loadContact(world.database, world.teamId, ann))?.contact.unique_id).toBe('b');
    expect((await world.erase('b')).counts).toMatchObject({ contacts: 1 });
  });
});

describe('what another request writes while a person is erased', () => {
  /** The work is done once, before or after the first transaction with a delete of an item with this sort key. */
  const during = (sk: string, when: 'before' | 'after', work: () => Promise<unknown>): Database => {
    let isDone = false;
    const isDelete = (write: Write) => write.kind === 'delete' && write.key.sk === sk;
    return {
      ...bound(world.database),
      transact: async (writes) => {
        const isFirst = !isDone && writes.some(isDelete);
        isDone ||= isFirst;
        if (isFirst && when === 'before') await work();
        const result = await world.database.transact(writes);
        if (isFirst && when === 'after') await work();
        return result;
      },
    };
  };
  const linksOf = async (id: string) => (await loadLinks(world.database, world.teamId, id)).links;

  test('is kept if it is a link that was about to be deleted', async () => {
    const id = await idOf('a');
    await world.accept('early', 0, [mapping('1', 'a')]);
    await world.work();
    const database = during('ACCOUNT#1', 'before', async () => {
      await world.accept('late', 0, [{ account_number: '1', contact: { unique_id: 'a', role: 'joint' } }]);
      await world.work();
    });
    expect((await world.erase('a', { database })).counts).toMatchObject({ contacts: 1 });
    expect(await linksOf(id)).toMatchObject([{ role: 'joint' }]);
  });

  test('is kept if it is a chunk that was accepted after the contact was deleted', async () => {
    const id = await idOf('a');
    const database = during('CONTACT', 'after', () => world.accept('late', 0, [mapping('1', 'a')]));
    expect((await world.erase('a', { database })).counts).not.toHaveProperty('chunks');
    await world.work();
    expect(await linksOf(id)).toHaveLength(1);
  });
});

describe('a file that names the person', () => {
  const header = 'account_number,contact.unique_id';

  test('is waited for when it is not imported yet', async () => {
    await world.put('accounts/late.csv', [header, '1,late', '2,other']);
    let looks = 0;
    const wait = async () => {
      if (++looks === 3) await world.readFile('accounts/late.csv');
    };
    expect((await world.erase('late', { wait })).counts).toMatchObject({ files: 1, file_rows: 1, links: 1 });
    expect([...world.texts().values()]).toContainEqual(`${header}\n2,other\n`);
  });
});
