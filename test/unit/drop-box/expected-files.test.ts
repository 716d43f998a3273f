import { expect, test, vi } from 'vitest';
import type { ExpectedFile } from '../../../lib/domain/drop-box/expected-file.ts';
import {
  deleteExpectedFile,
  listExpectedFiles,
  recordArrival,
  saveExpectedFile,
  saveVerdict,
} from '../../../lib/store/drop-box/expected-files.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { expectedFileOf } from '../../support/samples/samples.ts';

const time = (hour: number) => `2026-03-01T0${hour}:00:00.000000Z`;
const expected = (changes: Partial<ExpectedFile> = {}) => expectedFileOf({ team_id: 'one', ...changes });

async function stored(...files: ExpectedFile[]) {
  const database = new ModelDatabase();
  for (const file of files) await saveExpectedFile(database, file);
  const arrivals = async (team?: string) =>
    (await listExpectedFiles(database, team)).map(({ last_arrival_at }) => last_arrival_at);
  return { database, arrivals };
}

test('expected files are listed by team, type and hour', async () => {
  const files = [
    expected({ by: '07:00', last_arrival_at: time(2) }),
    expected({ team_id: 'two' }),
    expected({ type: 'contacts' }),
    expected(),
  ];
  const { database } = await stored(...files);
  expect(await listExpectedFiles(database)).toEqual([files[3], files[0], files[2], files[1]]);
  expect(await listExpectedFiles(database, 'two')).toEqual([files[1]]);
  expect(await listExpectedFiles(database, 'tw')).toEqual([]);
});

test('a new expected file is one write', async () => {
  const database = new ModelDatabase();
  const write = vi.spyOn(database, 'write');
  await saveExpectedFile(database, expected());
  expect(write).toHaveBeenCalledTimes(1);
});

test('another time zone replaces that of the hour, and what has arrived stays', async () => {
  const { database } = await stored(expected({ last_arrival_at: time(2) }));
  await saveExpectedFile(database, expected({ time_zone: 'Europe/Prague', inserted_at: time(3) }));
  const changed = { time_zone: 'Europe/Prague', inserted_at: time(3), last_arrival_at: time(2) };
  expect(await listExpectedFiles(database)).toEqual([expected(changed)]);
});

test('the settings of the hour are replaced as a whole', async () => {
  const settings = { max_rejected: 5, min_rows: 10, map: '{}' };
  const { database } = await stored(expected(settings));
  expect(await listExpectedFiles(database)).toEqual([expected(settings)]);
  await saveExpectedFile(database, expected({ min_rows: 20 }));
  expect(await listExpectedFiles(database)).toEqual([expected({ min_rows: 20 })]);
});

test('a verdict is stored unless another one was stored in between, and new settings keep it', async () => {
  const { database } = await stored(expected());
  const [read] = await listExpectedFiles(database);
  const verdict = { hour: time(5), rows: { f: 3 }, status: 'completed' as const, deviations: ['x'] };
  expect(await saveVerdict(database, read!, verdict)).toBe(true);
  expect(await saveVerdict(database, read!, { ...verdict, deviations: [] })).toBe(false);
  await saveExpectedFile(database, expected({ min_rows: 20 }));
  const [after] = await listExpectedFiles(database);
  expect(after).toEqual(expected({ min_rows: 20, verdict, verdicts: 1 }));
  expect(await saveVerdict(database, after!, { ...verdict, deviations: [] })).toBe(true);
  expect((await listExpectedFiles(database))[0]?.verdict?.deviations).toEqual([]);
});

test('a file is expected until it is deleted, once', async () => {
  const { database } = await stored(expected(), expected({ by: '06:00' }));
  expect(await deleteExpectedFile(database, expected())).toBe(true);
  expect(await deleteExpectedFile(database, expected())).toBe(false);
  expect(await listExpectedFiles(database)).toEqual([expected({ by: '06:00' })]);
});

test('an arrival is recorded in all expected files of the type and team', async () => {
  const { database, arrivals } = await stored(
    expected(),
    expected({ by: '06:00' }),
    expected({ type: 'contacts' }),
    expected({ team_id: 'two' }),
  );
  await recordArrival(database, 'one', 'accounts', time(4));
  expect(await arrivals()).toEqual([time(4), time(4), null, null]);
});

test.each([
  [time(3), time(4)],
  [time(4), time(4)],
  [time(5), time(5)],
])('of an arrival at %s and one at 04:00, the newest counts', async (at, newest) => {
  const { database, arrivals } = await stored(expected({ last_arrival_at: time(4) }));
  const writes: unknown[] = [];
  const write = database.write.bind(database);
  database.write = (each) => {
    writes.push(...each);
    return write(each);
  };
  await recordArrival(database, 'one', 'accounts', at);
  expect(await arrivals()).toEqual([newest]);
  expect(writes).toHaveLength(at > time(4) ? 1 : 0);
});

test('an arrival does not replace one that was recorded in between', async () => {
  const { database, arrivals } = await stored(expected());
  const query = database.query.bind(database);
  database.query = async (input) => {
    const page = await query(input);
    database.query = query;
    await recordArrival(database, 'one', 'accounts', time(9));
    return page;
  };
  await recordArrival(database, 'one', 'accounts', time(4));
  expect(await arrivals()).toEqual([time(9)]);
});
