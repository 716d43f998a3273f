import { describe, expect, test } from 'vitest';
import type { ExpectedFile } from '../../../lib/domain/drop-box/expected-file.ts';
import { deviatingFiles } from '../../../lib/operations/drop-box/expected.ts';
import { loadAccounts } from '../../../lib/store/accounts/accounts.ts';
import { listExpectedFiles, recordArrival, saveExpectedFile } from '../../../lib/store/drop-box/expected-files.ts';
import { DropWorld } from '../../support/drop-box.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { csv, row, rows } from '../../support/samples/account-files.ts';

const expected = { by: '05:00', time_zone: 'UTC', inserted_at: '2026-03-01T00:00:00.000000Z', last_arrival_at: null };

test('the expected files that have not arrived by their hour are missing, of every team', async () => {
  const database = new ModelDatabase();
  for (const team_id of ['one', 'two']) {
    for (const type of ['accounts', 'contacts'] as const)
      await saveExpectedFile(database, { ...expected, team_id, type });
  }
  await recordArrival(database, 'one', 'accounts', '2026-03-01T04:00:00.000000Z');
  const missing = async (time: string) =>
    (await deviatingFiles({ database, now: () => Date.parse(time) })).map(({ team_id, type }) => [team_id, type]);
  expect(await missing('2026-03-01T04:59:00Z')).toEqual([]);
  expect(await missing('2026-03-01T05:00:00Z')).toEqual([
    ['one', 'contacts'],
    ['two', 'accounts'],
    ['two', 'contacts'],
  ]);
});

describe('an expected file of accounts', () => {
  async function expecting(settings: Partial<ExpectedFile> = {}) {
    const world = await DropWorld.open();
    const { database, teamId: team_id } = world;
    for (const type of ['accounts', 'contacts'] as const)
      await saveExpectedFile(database, { ...expected, team_id, type, ...settings });
    const drop = async (name: string, content: string) => {
      const file = world.drop(`accounts/${name}.csv`, content);
      await world.finish(file);
      return world.report(file);
    };
    const stored = async () => (await listExpectedFiles(database, team_id))[0]!;
    const deviating = async () =>
      (await deviatingFiles({ database, now: () => world.clock })).map(({ type, state }) => [type, state]);
    return { world, drop, stored, deviating };
  }

  test('has arrived with a file of its type, and is failed while its last one was not completed', async () => {
    const { world, drop, stored, deviating } = await expecting();
    await drop('rejected', csv(row(1).replace('checking', 'nonsense')));
    expect(Date.parse((await stored()).last_arrival_at!)).toBeGreaterThanOrEqual(Date.parse('2026-03-01T02:00:00Z'));
    expect(await deviating()).toEqual([['accounts', 'failed']]);
    await drop('good', csv(row(1)));
    expect(await deviating()).toEqual([]);
    world.clock += 3 * 3_600_000;
    expect(await deviating()).toEqual([['contacts', 'missing']]);
  });

  test('is read with its map and its form of numbers', async () => {
    const map =
      '{"NR": "account_number", "CODE": "product.code", "_numbers": "1.234,50", "_constants": {"product.type": "checking"}}';
    const { world, drop } = await expecting({ map });
    expect(await drop('core', 'NR;CODE;balance\n1;P;1.234,50\n')).toMatchObject({ status: 'completed' });
    const [account] = await loadAccounts(world.database, world.teamId, ['1']);
    expect(account).toMatchObject({ product_code: 'P', fields: { balance: '1234.50' } });
  });

  test('is judged by what is expected of its own type', async () => {
    const { world, drop, deviating } = await expecting({ min_rows: 2 });
    const people = world.drop('contacts/c.csv', 'unique_id\na\n');
    await world.finish(people);
    expect(await deviating()).toEqual([['contacts', 'unexpected']]);
    expect((await drop('enough', csv(...rows(2)))).warnings).toEqual([]);
    expect(await deviating()).toEqual([['contacts', 'unexpected']]);
  });

  test('is read and judged by the hour that it counts for, and a late one leaves the verdict of a later hour', async () => {
    const map = (nr: string) =>
      `{"${nr}": "account_number", "_constants": {"product.type": "checking", "product.code": "P"}}`;
    const { world, drop } = await expecting({ by: '03:00', map: map('EARLY'), min_rows: 2 });
    const { database, teamId: team_id } = world;
    await saveExpectedFile(database, {
      ...expected,
      team_id,
      type: 'accounts',
      by: '15:00',
      map: map('LATE'),
      min_rows: 1,
    });
    const verdicts = async () => {
      const files = (await listExpectedFiles(database, team_id)).filter(({ type }) => type === 'accounts');
      return files.map(({ by, verdict }) => [by, verdict?.hour.slice(0, 13), verdict?.deviations.length]);
    };
    expect(await drop('early', 'EARLY\n1\n')).toMatchObject({ status: 'completed', rows: { applied: 1 } });
    world.clock += 12 * 3_600_000;
    expect(await drop('late', 'LATE\n1\n')).toMatchObject({ status: 'completed', warnings: [] });
    const both = [
      ['03:00', '2026-03-01T03', 1],
      ['15:00', '2026-03-01T15', 0],
    ];
    expect(await verdicts()).toEqual(both);
    // The next day's file has ended before the one of the day before.
    const slow = world.drop('accounts/slow.csv', 'EARLY\n1\n2\n');
    const received_at = '2026-03-01T02:30:00.000000Z';
    world.clock += 12 * 3_600_000;
    await drop('next', 'EARLY\n1\n');
    await world.finish({ ...slow, received_at });
    expect(await verdicts()).toEqual([['03:00', '2026-03-02T03', 1], both[1]]);
  });

  test('is unexpected while too many rows were rejected or too few were read, as its report says', async () => {
    const { drop, stored, deviating } = await expecting({ max_rejected: 5, min_rows: 20 });
    const few = ['15 rows were read, fewer than 20'];
    expect(await drop('few', csv(...rows(15)))).toMatchObject({
      status: 'completed',
      warnings: [`the file is not as expected: ${few}`],
    });
    expect([(await stored()).verdict?.deviations, await deviating()]).toEqual([few, [['accounts', 'unexpected']]]);
    // Together with the rows of the first file there are enough.
    await drop('bad', csv(...rows(9), row(10).replace('checking', 'nonsense')));
    expect((await stored()).verdict?.deviations).toEqual(['10% of the rows were rejected, more than 5%']);
    expect((await drop('good', csv(...rows(20)))).warnings).toEqual([]);
    expect([(await stored()).verdict?.deviations, await deviating()]).toEqual([[], []]);
  });
});
