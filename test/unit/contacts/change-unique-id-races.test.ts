import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { changeUniqueId } from '../../../bin/admin/operations/contacts/change-unique-id.ts';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { bound, type Database, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { serviceOn, upsertBatch } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';
import {
  accept,
  apply,
  Died,
  database,
  dies,
  idOf,
  interrupted,
  link,
  linksOf,
  make,
  newTeam,
  rename,
  team,
  upsert,
  work,
} from './renames.ts';

beforeEach(newTeam);

describe('races', () => {
  test('a creator of the new value who looked before the change finds the contact after it', async () => {
    const x = await make('a');
    const creating = await upsert(
      'b',
      { city: 'Oslo' },
      interrupted('write', 1, () => rename('a', 'b')),
    );
    expect(creating).toMatchObject({ created: false, contact: { id: x, unique_id: 'b', city: 'Oslo' } });
  });

  test('an update by the old value that was decided before the change makes a contact of its own after it', async () => {
    const x = await make('a');
    const updating = await upsert(
      'a',
      { city: 'Oslo' },
      interrupted('write', 1, () => rename('a', 'b')),
    );
    expect(updating).toMatchObject({ created: true, contact: { unique_id: 'a', city: 'Oslo' } });
    expect((await loadContact(database, team, x))?.contact).toMatchObject({ unique_id: 'b', city: null });
  });

  test('a change that meets a new contact of the new value is refused', async () => {
    await make('a');
    const changing = rename(
      'a',
      'b',
      interrupted('transact', 1, () => make('b')),
    );
    await expect(changing).rejects.toMatchObject({ details: [{ path: '/to' }] });
    expect(await idOf('a')).toBe(derivedContactId(team, 'a'));
  });

  test('a change that meets an update of the contact keeps what the update set', async () => {
    const x = await make('a');
    await rename(
      'a',
      'b',
      interrupted('transact', 1, () => upsert('a', { city: 'Oslo' })),
    );
    expect((await loadContact(database, team, x))?.contact).toMatchObject({ unique_id: 'b', city: 'Oslo' });
  });

  test('of two changes to one value one wins and the other is refused', async () => {
    const ids = [await make('a1'), await make('a2')];
    const outcomes = await Promise.allSettled([rename('a1', 'b'), rename('a2', 'b')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = outcomes.find((each) => each.status === 'rejected')!;
    expect(lost.reason).toMatchObject({ code: 'validation_failed', details: [{ path: '/to' }] });
    expect(ids).toContain(await idOf('b'));
  });

  test('of two changes of one contact one wins and the other finds nobody', async () => {
    const x = await make('a');
    const outcomes = await Promise.allSettled([rename('a', 'b'), rename('a', 'c')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const ids = [await idOf('b'), await idOf('c')];
    expect(ids.filter((id) => id !== undefined)).toEqual([x]);
  });

  test('a batch that reads the two values on either side of the change still writes the contact once', async () => {
    const x = await make('a');
    let reads = 0;
    // The first response shows the old value from before the change and the new one from after it.
    const torn = {
      ...interrupted('get', 0, dies),
      get: async (keys: Parameters<Database['get']>[0]) => {
        if (reads++ > 0) return database.get(keys);
        const before = await database.get(keys.slice(0, 2));
        await rename('a', 'b');
        return [...before, ...(await database.get(keys.slice(2)))];
      },
    };
    const batch = ['a', 'b'].map((unique_id) => record({ unique_id, city: unique_id }));
    const answer = await upsertBatch(serviceOn(torn), team, batch);
    expect(answer.existing_contacts).toMatchObject([{ id: x, unique_id: 'b', city: 'b' }]);
    expect(answer.new_contacts).toMatchObject([{ unique_id: 'a', city: 'a' }]);
  });

  test('a batch that finds a contact of its own under the unique_id of another record changes it, too', async () => {
    await make('c');
    let isFirst = true;
    const renaming: Database = {
      ...bound(database),
      write: async (writes) => {
        if (!isFirst) return database.write(writes);
        isFirst = false;
        await rename('c', 'b');
        const written = await database.write(writes);
        await rename('a', 'c');
        return written;
      },
    };
    const batch = [record({ unique_id: 'a', name_first: 'Ann' }), record({ unique_id: 'c', city: 'Oslo' })];
    const answer = await upsertBatch(serviceOn(renaming), team, batch);
    expect([answer.new_contacts, answer.existing_contacts]).toMatchObject([
      [{ unique_id: 'a', name_first: 'Ann' }],
      [{ unique_id: 'c', city: 'Oslo' }],
    ]);
    const stored = await loadContact(database, team, (await idOf('c'))!);
    expect(stored?.contact).toMatchObject({ unique_id: 'c', name_first: 'Ann', city: 'Oslo' });
  });

  test('forty upserts of both values during changes to and fro lose nothing and double nobody', async () => {
    const x = await make('a');
    const upserts = Array.from({ length: 40 }, (_, n) =>
      upsert(n % 2 ? 'a' : 'b', { meta_public: { [`k${n}`]: n } }).then(({ contact }) => contact.id),
    );
    const changes = (async () => {
      for (const [from, to] of [
        ['a', 'free'],
        ['free', 'gone'],
        ['gone', 'home'],
      ] as const)
        await rename(from, to);
    })();
    const [ids] = await Promise.all([Promise.all(upserts), changes]);
    const contacts = await Promise.all([...new Set(ids)].map((id) => loadContact(database, team, id)));
    const kept = contacts.flatMap((each) => Object.keys(each!.contact.meta_public ?? {}));
    expect(kept.sort()).toEqual(Array.from({ length: 40 }, (_, n) => `k${n}`).sort());
    expect(new Set(contacts.map((each) => each!.contact.unique_id)).size).toBe(contacts.length);
    expect(await idOf('home')).toBe(x);
  });

  test('a change that stays in conflict is unavailable, after a bounded number of rounds', async () => {
    await make('a');
    const lost: Database = { ...interrupted('get', 0, dies), transact: async () => false };
    const never = { ...serviceOn(lost), pause: async () => {}, newId: randomUUID };
    const changing = changeUniqueId(never, team, { from: 'a', to: 'b' });
    await expect(changing).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(changing).rejects.toThrow('too many conflicts on the contact');
  });

  test('a change that reads the new value on either side of another change reads it again', async () => {
    const x = await make('a');
    const y = await make('b');
    // The first read is of the identity items, the second of the contacts.
    const changing = rename(
      'a',
      'b',
      interrupted('get', 2, () => rename('b', 'c')),
    );
    expect(await changing).toMatchObject({ id: x, unique_id: 'b' });
    expect([await idOf('b'), await idOf('c')]).toEqual([x, y]);
  });
});

describe('an import that is at work meanwhile', () => {
  // The calls of an attempt: begin, read the payload, read and write its items, close.
  test.each([
    ['begins', 'write', 1],
    ['reads what is stored', 'get', 2],
    ['writes', 'write', 2],
    ['closes', 'transact', 1],
  ] as const)('links the contact by the new value, though the change comes as it %s', async (_, method, n) => {
    const x = await make('a');
    await accept(link('b', '1', 'joint'), link('b', '2'));
    expect(await work(interrupted(method, n, () => rename('a', 'b')))).toBe(2);
    expect(await linksOf(x)).toEqual({ '1': 'joint', '2': null });
  });

  test('links whoever has the old value afterwards, judged anew at the close', async () => {
    await make('a');
    await accept(link('a', '1', 'primary'));
    await work(interrupted('get', 2, () => rename('a', 'b')));
    expect(await linksOf(await make('a'))).toEqual({ '1': 'primary' });
  });

  test('loses nothing when the change comes as it writes and it dies then', async () => {
    const x = await make('a');
    await accept(link('b', '1', 'joint'));
    const changing = interrupted('write', 2, () => rename('a', 'b'));
    const attempt = work({ ...changing, transact: interrupted('transact', 1, dies).transact });
    await expect(attempt).rejects.toThrow(Died);
    expect(await linksOf(x)).toEqual({});
    expect(await work()).toBe(1);
    expect(await linksOf(x)).toEqual({ '1': 'joint' });
  });

  test('that wakes up after the change, behind another attempt, changes nothing any more', async () => {
    const x = await make('a');
    await accept(link('b', '1', 'joint'));
    const meanwhile = async () => {
      await rename('a', 'b');
      expect(await work()).toBe(1);
      await apply(link('b', '1', 'later'));
    };
    await work(interrupted('write', 2, meanwhile));
    expect(await linksOf(x)).toEqual({ '1': 'later' });
  });

  test('that asks whom a value names after another attempt has completed the chunk links nobody', async () => {
    await make('old');
    await rename('old', 'older');
    const x = await make('a');
    const second = await make('b');
    await accept(link('a', '1', 'primary'));
    const meanwhile = async () => {
      expect(await work()).toBe(1);
      await rename('a', 'c');
      await rename('b', 'a');
    };
    // Its second read is of the identity items.
    await work(interrupted('get', 2, meanwhile));
    expect(await linksOf(x)).toEqual({ '1': 'primary' });
    expect(await linksOf(second)).toEqual({});
  });

  test('writes a link that is just moving along, and neither is lost', async () => {
    const x = await make('a');
    await apply(link('b', '1', 'joint'));
    const later = () => apply(link('b', '1', 'later'), link('b', '2'));
    // The first transaction is the change itself, the second moves the link.
    await rename('a', 'b', interrupted('transact', 2, later));
    expect(await linksOf(x)).toEqual({ '1': 'later', '2': null });
  });
});
