import { beforeEach, describe, expect, test } from 'vitest';
import { changeUniqueId } from '../../../bin/admin/operations/contacts/change-unique-id.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { derivedContactId } from '../../../lib/store/table/ids.ts';
import { serviceOn } from '../../support/operations/operations.ts';

import { apply, Died, database, dies, interrupted, link, linksOf, make, newTeam, rename, team } from './renames.ts';

beforeEach(newTeam);

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
