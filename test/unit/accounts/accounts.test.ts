import { describe, expect, test, vi } from 'vitest';
import type { Account } from '../../../lib/domain/accounts/account.ts';
import type { ImportData } from '../../../lib/domain/imports/import-item.ts';
import {
  loadAccounts,
  loadLinks,
  loadStampedItems,
  moveLinks,
  productSince,
  saveMerged,
} from '../../../lib/store/accounts/accounts.ts';
import { holderInsertions, loadHolders } from '../../../lib/store/accounts/holders.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { accountKey, identityKey, type Key, linkKey } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';

const [team, from, to] = ['8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001', 'from', 'to'];
const [first, later] = ['2026-03-01T01:00:00.000000Z', '2026-03-01T02:00:00.000000Z'];
const account = (changes: Partial<Account> = {}): Account => ({
  fields: {},
  product_code: 'P',
  meta_public: null,
  meta_private: null,
  ...changes,
});

/** Writes the data with a stamp, as an import that has read the item. */
async function save(database: ModelDatabase, key: Key, order: number, data?: ImportData | null, now = first) {
  const [stored] = await loadStampedItems(database, [key]);
  const write = { order, outcomes: 'a', ...(data === undefined ? {} : { data }) };
  return saveMerged(database, [{ key, stored, decision: { outcomes: ['applied'], write } }], now);
}

describe('an item that an import writes', () => {
  const key = accountKey(team, '1');
  const load = async (database: Database) => (await loadStampedItems(database, [key]))[0];

  test('keeps its data and its time if only the stamp changes', async () => {
    const database = new ModelDatabase();
    await save(database, key, 3, account());
    expect(await save(database, key, 5, undefined, later)).toEqual([true]);
    expect(await load(database)).toEqual({ order: 5, outcomes: 'a', data: account() });
    expect(database.read(key)).toMatchObject({ inserted_at: first, updated_at: first });
    await save(database, key, 6, account({ product_code: 'Q' }), later);
    expect(database.read(key)).toMatchObject({ inserted_at: first, updated_at: later });
  });

  test('keeps only its stamp and its times when it is removed, and is made again by a later record', async () => {
    const database = new ModelDatabase();
    await save(database, key, 3, account());
    expect(await save(database, key, 5, null, later)).toEqual([true]);
    expect(await load(database)).toEqual({ order: 5, outcomes: 'a' });
    const left = { ...key, order: 5, outcomes: 'a', inserted_at: first, updated_at: later };
    expect(database.read(key)).toEqual(left);
    expect(await loadAccounts(database, team, ['1'])).toEqual([undefined]);
    expect(await save(database, key, 6, account(), later)).toEqual([true]);
    expect(await loadAccounts(database, team, ['1'])).toEqual([account()]);
  });

  // Contract, section 6: the time at which the link and account that meet a page were both stored.
  test('has the time of its product and of its closing date, which other changes leave', async () => {
    const database = new ModelDatabase();
    const hour = (hours: number) => `2026-03-01T0${hours}:00:00.000000Z`;
    const closed = { closed_date: '2026-02-01' } as never;
    const steps: [ImportData | null | undefined, string][] = [
      [account(), hour(1)],
      [account({ fields: { nickname: 'N' } as never }), hour(1)],
      [undefined, hour(1)],
      [account({ product_code: 'Q' }), hour(4)],
      [account({ product_code: 'Q', meta_public: { a: 1 } }), hour(4)],
      [account({ product_code: 'Q', fields: closed }), hour(6)],
      [account({ product_code: 'Q' }), hour(7)],
      [null, hour(7)],
      [account({ product_code: 'Q' }), hour(9)],
    ];
    for (const [index, [data, since]] of steps.entries()) {
      await save(database, key, index + 1, data, hour(index + 1));
      expect(productSince(database.read(key)!)).toBe(since);
    }
  });
});

const link = (database: ModelDatabase, contact: string, number: string, order: number, role: string | null) =>
  save(database, linkKey(team, contact, number), order, { role });
const linksOf = async (database: Database, contact: string) => (await loadLinks(database, team, contact)).links;

/** Moves the links while the identity item of the new value says so. */
async function move(table: ModelDatabase, database: Database = table): Promise<boolean> {
  const item = { ...identityKey(team, 'u'), contact_id: to, moving_from: from };
  await table.write([{ kind: 'insert', item }]);
  return moveLinks(database, team, { uniqueId: 'u', from, to });
}

describe('the links of a contact', () => {
  test('have the time at which they were stored, also after they were removed', async () => {
    const database = new ModelDatabase();
    const key = linkKey(team, from, '1');
    await save(database, key, 1, { role: 'joint' }, first);
    await save(database, key, 2, { role: 'owner' }, later);
    expect(await linksOf(database, from)).toMatchObject([{ role: 'owner', inserted_at: first }]);
    await save(database, key, 3, null, later);
    await save(database, key, 4, { role: 'joint' }, later);
    expect(await linksOf(database, from)).toMatchObject([{ role: 'joint', inserted_at: later }]);
  });

  // The order and the role of the moved link, of the link that the contact has, and of the one that remains.
  // `removed`: an administrator removed it.
  test.each([
    [8, 'removed', 7, 'held', 8, 'held'],
    [6, 'removed', 7, 'held', 7, 'held'],
    [8, 'moved', 7, 'removed', 8, 'moved'],
    [6, 'moved', 7, 'removed', 7, 'moved'],
    [6, 'removed', 7, 'removed', 7, undefined],
    [8, 'removed', undefined, '', 8, undefined],
  ] as const)('that were removed take no other away: %j %s moved to %j %s', async (...row) => {
    const [order, role, heldOrder, heldRole, resultOrder, resultRole] = row;
    const database = new ModelDatabase();
    const dataOf = (each: string) => (each === 'removed' ? null : { role: each });
    await save(database, linkKey(team, from, '1'), order, dataOf(role));
    if (heldOrder !== undefined) await save(database, linkKey(team, to, '1'), heldOrder, dataOf(heldRole));
    expect(await move(database)).toBe(true);
    const [left] = await loadStampedItems(database, [linkKey(team, to, '1')]);
    expect(left?.order).toBe(resultOrder);
    expect(left?.data).toEqual(resultRole === undefined ? undefined : { role: resultRole });
  });

  test('are moved to another contact, as they are', async () => {
    const database = new ModelDatabase();
    const numbers = Array.from({ length: 95 }, (_, number) => String(100 + number));
    for (const number of numbers) await link(database, from, number, 7, 'joint');
    const { pk, sk, ...attributes } = database.read(linkKey(team, from, '100'))!;
    expect(await move(database)).toBe(true);
    expect(await linksOf(database, from)).toEqual([]);
    expect((await linksOf(database, to)).map(({ account_number }) => account_number)).toEqual(numbers);
    expect(database.read(linkKey(team, to, '100'))).toEqual({ ...linkKey(team, to, '100'), ...attributes });
  });

  test('take their contact with them as a holder of the account', async () => {
    const database = new ModelDatabase();
    const holders = [from, 'third'].map((contactId) => ({ accountNumber: '1', contactId, isKnown: true }));
    const write = { order: 1, outcomes: 'a', data: account() };
    const merged = { key: accountKey(team, '1'), stored: undefined, decision: { outcomes: [], write } };
    await saveMerged(database, [{ ...merged, holders: `${from} other` }], first, holderInsertions(team, holders));
    await link(database, from, '1', 1, 'joint');
    expect(await move(database)).toBe(true);
    expect(await loadHolders(database, team, '1')).toEqual(['other', 'third', to]);
  });

  test('are not overwritten by a chunk that read them before a move changed them under the same order number', async () => {
    const database = new ModelDatabase();
    const key = linkKey(team, to, '1');
    await link(database, from, '1', 6, 'moved');
    await link(database, to, '1', 7, null);
    const [stored] = await loadStampedItems(database, [key]);
    expect(await move(database)).toBe(true);
    const write = { order: 8, outcomes: 'a', data: { role: null, product_code: 'P' } };
    expect(await saveMerged(database, [{ key, stored, decision: { outcomes: [], write } }], later)).toEqual([false]);
  });

  // The order and the role of the moved link, of the link that the contact has, and of the one that remains.
  test.each([
    [8, 'moved', 7, 'held', 8, 'moved'],
    [7, 'moved', 7, 'held', 7, 'moved'],
    [8, null, 7, 'held', 8, 'held'],
    [6, 'moved', 7, 'held', 7, 'held'],
    [6, 'moved', 7, null, 7, 'moved'],
    [6, null, 7, null, 7, null],
  ] as const)(
    'to one account become one: %j %j moved to %j %j',
    async (movedOrder, moved, heldOrder, held, order, role) => {
      const database = new ModelDatabase();
      await link(database, from, '1', movedOrder, moved);
      await save(database, linkKey(team, to, '1'), heldOrder, { role: held }, later);
      const transact = vi.spyOn(database, 'transact');
      expect(await move(database)).toBe(true);
      const isChanged = movedOrder >= heldOrder || held !== role;
      expect(transact.mock.calls.map(([writes]) => writes.length)).toEqual([isChanged ? 5 : 4]);
      expect(database.read(linkKey(team, from, '1'))).toBeUndefined();
      expect(await loadStampedItems(database, [linkKey(team, to, '1')])).toEqual([
        { order, outcomes: 'a', data: { role }, text: JSON.stringify({ role }) },
      ]);
      expect(database.read(linkKey(team, to, '1'))!.updated_at).toBe(movedOrder >= heldOrder ? first : later);
    },
  );

  test.each([
    ['moved link', from, 9, 'x'],
    ['held link', to, 9, 'x'],
    ['role of the held link', to, 7, 'x'],
  ])('are not moved if an import changes the %s in between', async (_, contact, order, role) => {
    const database = new ModelDatabase();
    await link(database, from, '1', 8, 'moved');
    await link(database, to, '1', 7, 'held');
    const get: Database['get'] = async (keys) => {
      const found = await database.get(keys);
      database.damage(linkKey(team, contact, '1'), { order, data: JSON.stringify({ role }) });
      return found;
    };
    expect(await move(database, { ...bound(database), get })).toBe(false);
    expect(await linksOf(database, from)).toHaveLength(1);
  });
});
