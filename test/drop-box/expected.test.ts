import { expect, test } from 'vitest';
import { deviatingFiles } from '../../lib/operations/drop-box/expected.ts';
import { recordArrival, saveExpectedFile } from '../../lib/store/expected-files.ts';
import { ModelDatabase } from '../support/model-database.ts';

test('the expected files that have not arrived by their hour are missing, of every team', async () => {
  const database = new ModelDatabase();
  const expected = { by: '05:00', time_zone: 'UTC', inserted_at: '2026-03-01T00:00:00.000000Z', last_arrival_at: null };
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
