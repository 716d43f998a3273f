import { describe, expect, test } from 'vitest';
import { loadByUniqueId } from '../../../lib/store/contacts/contacts.ts';
import { DropWorld, Killed, mortal } from '../../support/drop-box.ts';
import { balances, header, row } from '../../support/samples/account-files.ts';

describe('whatever call an invocation dies at,', () => {
  // Three chunks with mostly invalid rows, so that they are fast. The last row exceeds the limit of its account.
  const junk = Array.from({ length: 498 }, () => 'junk');
  const wide = (line: string, one = '', two = '') => `${line},${one},${two}`;
  const large = 'x'.repeat(9000);
  const accounts = [
    ...[`${header},meta_private.one,meta_private.two`, wide(row(1)), wide(row(2)), ...junk, wide(row(3)), ...junk],
    ...[wide(row(4), large), wide(row(1, '7.00')), wide(row(5)), wide(row(4), '', large)],
  ].join('\n');
  const junkLines = accounts.split('\n').flatMap((line, index) => (line === 'junk' ? [index + 1] : []));
  const people = ['unique_id,name_first,birthdate', 'a,Ann,', 'b,Bob,never', 'c,Cid,', 'd,Dot,2001-02-29'];

  /** Stops at every possible point, in a run for each. */
  async function everywhere(path: string, content: string, check: (world: DropWorld, key: string) => Promise<void>) {
    for (let deaths = 0; ; deaths++) {
      const world = await DropWorld.open();
      const file = world.drop(path, content);
      const { dependencies, hasDied } = mortal(world, deaths + 1);
      for (let isDone = false; !isDone && !hasDied(); ) {
        const outcome = await world.invoke(file, 1, dependencies).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
          return 0;
        });
        isDone = outcome === 'done';
        await world.workImports();
      }
      if (!hasDied()) return deaths;
      await world.finish(file, 1);
      await check(world, file.key);
    }
  }

  test('each account is applied, and each rejected row named, once', async () => {
    const deaths = await everywhere('accounts/a.csv', accounts, async (world, key) => {
      const file = { key, version: '1' };
      const { status, rows: counts } = world.report(file);
      expect([status, counts]).toEqual([
        'completed',
        { read: 1003, accepted: 6, rejected: 997, applied: 6, unchanged: 0, superseded: 0 },
      ]);
      expect(world.rejected(file).map((line) => Number(line.split(',')[0]))).toEqual([...junkLines, 1004]);
      expect(await balances(world, [1, 2, 3, 4, 5])).toEqual(['7.00', '2.50', '3.50', '4.50', '5.50']);
    });
    expect(deaths).toBeGreaterThan(30);
  });

  test('each contact is there', async () => {
    await everywhere('contacts/c.csv', `${people.join('\n')}\n`, async (world, key) => {
      const file = { key, version: '1' };
      expect(world.report(file).rows).toMatchObject({ read: 4, accepted: 2, rejected: 2 });
      expect(world.rejected(file).map((line) => line.split(',').slice(0, 2))).toEqual([
        ['3', 'birthdate'],
        ['5', 'birthdate'],
      ]);
      const found = await loadByUniqueId(world.database, world.teamId, ['a', 'b', 'c', 'd']);
      const names = [...found.values()].map(({ stored }) => stored?.contact.name_first);
      expect(names).toEqual(['Ann', undefined, 'Cid', undefined]);
    });
  });
});
