import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { changeUniqueId } from '../../../bin/admin/operations/contacts/change-unique-id.ts';
import { listContacts } from '../../../lib/operations/contacts/list.ts';
import { loadLinks } from '../../../lib/store/accounts/accounts.ts';
import { loadByUniqueId, loadContact } from '../../../lib/store/contacts/contacts.ts';
import { loadImportState } from '../../../lib/store/imports/import-work.ts';
import { bound, type Database, StoreUnavailable } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { ModelTable } from '../../support/models/model-table.ts';
import { postBatch, workAll } from '../../support/operations/import-operations.ts';
import { callerOf, serviceOn, updateContact, upsertBatch, upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';

const database: Database = new ModelTable();

/** The team of the running test. */
let team: string;
function newTeam(): void {
  team = randomUUID();
}

const rename = (from: string, to: string, using: Database = database) =>
  changeUniqueId({ ...serviceOn(using), newId: randomUUID }, team, { from, to });

const upsert = (unique_id: string, fields: object = {}, using: Database = database) =>
  upsertContact(serviceOn(using), team, record({ unique_id, ...fields }));

const make = async (unique_id: string) => (await upsert(unique_id)).contact.id;
const whoIs = async (uniqueId: string) => (await loadByUniqueId(database, team, [uniqueId])).get(uniqueId)?.stored;
const idOf = async (uniqueId: string) => (await whoIs(uniqueId))?.contact.id;

const link = (unique_id: string, account_number: string, role?: string) => ({
  account_number,
  contact: { unique_id, ...(role === undefined ? {} : { role }) },
});

/** Accepts the records as a new chunk. */
const accept = (...records: object[]) => postBatch(serviceOn(database), team, { records });

/** Applies the open chunks. @returns the number of records that this worker closed */
const work = async (using: Database = database) => (await workAll(serviceOn(using), team)).records;

async function apply(...records: object[]) {
  await accept(...records);
  await work();
}

const linksOf = async (contactId: string) =>
  Object.fromEntries(
    (await loadLinks(database, team, contactId)).links.map(({ account_number, role }) => [account_number, role]),
  );

type Method = 'get' | 'query' | 'write' | 'transact';

/** A database that once runs something else first, at the `n`th call of this method. */
function interrupted(method: Method, n: number, by: () => Promise<unknown>): Database {
  let calls = 0;
  const call = (name: Method) => async (input: never) => {
    if (name === method && ++calls === n) await by();
    return database[name](input) as never;
  };
  return { get: call('get'), query: call('query'), write: call('write'), transact: call('transact') };
}

class Died extends Error {}
const dies = async () => {
  throw new Died();
};

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

describe('links to accounts', () => {
  test('stay with the contact, and imports find it by the new value', async () => {
    const x = await make('a');
    await apply(link('a', '1', 'primary'));
    await rename('a', 'b');
    await apply(link('b', '2'), link('a', '3'), link('b', '1'));
    expect(await linksOf(x)).toEqual({ '1': 'primary', '2': null });
    expect(await linksOf(await make('a'))).toEqual({ '3': null });
  });

  test('that were stored under the new value before it named a contact move along', async () => {
    const x = await make('a');
    await apply(link('b', '1', 'joint'), link('b', '2'));
    await rename('a', 'b');
    expect(await linksOf(x)).toEqual({ '1': 'joint', '2': null });
    expect(await linksOf(derivedContactId(team, 'b'))).toEqual({});
  });

  test('that were stored under a value after it was given away move back with it', async () => {
    const x = await make('a');
    await rename('a', 'b');
    await apply(link('a', '1', 'joint'));
    expect(await linksOf(x)).toEqual({});
    await rename('b', 'a');
    expect(await linksOf(x)).toEqual({ '1': 'joint' });
  });

  test.each([
    ['of the later import', ['first', 'second'], 'second'],
    ['of the later import, whichever value it named', ['second', 'first'], 'first'],
    ['that there is', ['first', undefined], 'first'],
    ['that there is, though it is the earlier one', [undefined, 'second'], 'second'],
  ])('to one account become one, with the role %s', async (_, roles, expected) => {
    const x = await make('a');
    const [first, second] = roles;
    const reversed = first === 'second';
    await apply(link(reversed ? 'b' : 'a', '1', first));
    await apply(link(reversed ? 'a' : 'b', '1', second));
    await rename('a', 'b');
    expect(await linksOf(x)).toEqual({ '1': expected });
    await apply(link('b', '1', 'latest'));
    expect(await linksOf(x)).toEqual({ '1': 'latest' });
  });

  test('move along however many they are, and however often the change breaks off', async () => {
    const x = await make('a');
    const numbers = Array.from({ length: 130 }, (_, n) => String(n));
    await apply(...numbers.map((number) => link('b', number)));
    await apply(...numbers.slice(0, 50).map((number) => link('a', number, 'primary')));
    // The first transaction of the first call is the change itself.
    for (const n of [2, 2, 1]) {
      await expect(rename('a', 'b', interrupted('transact', n, dies))).rejects.toThrow(Died);
    }
    expect((await rename('a', 'b')).id).toBe(x);
    const links = await linksOf(x);
    expect(Object.keys(links)).toHaveLength(130);
    expect(links).toMatchObject({ '0': 'primary', '49': 'primary', '50': null });
    await expect(rename('a', 'b')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('that a change left half-way are moved before the value is changed again', async () => {
    const x = await make('a');
    await apply(link('b', '1'));
    await expect(rename('a', 'b', interrupted('transact', 2, dies))).rejects.toThrow(Died);
    await rename('b', 'c');
    expect(await linksOf(x)).toEqual({ '1': null });
  });

  test('that a change left half-way are moved although it cannot be repeated any more', async () => {
    const x = await make('a');
    await apply(link('b', '1'));
    await expect(rename('a', 'b', interrupted('transact', 2, dies))).rejects.toThrow(Died);
    await make('a');
    await expect(rename('a', 'b')).rejects.toMatchObject({ details: [{ path: '/to' }] });
    expect(await linksOf(x)).toEqual({ '1': null });
  });

  test('that another change left half-way do not make a change of an unknown value succeed', async () => {
    await make('x');
    await apply(link('b', '1'));
    await expect(rename('x', 'b', interrupted('transact', 2, dies))).rejects.toThrow(Died);
    await expect(rename('a', 'b')).rejects.toMatchObject({ code: 'not_found', details: [{ path: '/from' }] });
  });

  test('that stay in conflict make the change unavailable', async () => {
    await make('a');
    await apply(link('b', '1'));
    let transactions = 0;
    const conflicting: Database = {
      ...bound(database),
      transact: async (writes) => transactions++ === 0 && database.transact(writes),
    };
    const never = { ...serviceOn(conflicting), pause: async () => {} };
    const changing = changeUniqueId(never, team, { from: 'a', to: 'b' });
    await expect(changing).rejects.toMatchObject({ code: 'unavailable', message: 'too many conflicts on the links' });
  });
});

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
