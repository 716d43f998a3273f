import type { DropKind } from '../../domain/drop-box/drop.ts';
import { type ExpectedFile, expectedFile, type Verdict, verdict } from '../../domain/drop-box/expected-file.ts';
import { all, type Database, writeOne } from '../table/database.ts';
import { expectedFileKey, expectedPartition, expectedPrefix } from '../table/keys.ts';
import { itemReader, jsonText } from '../table/stored-item.ts';

/** The expected files of all teams: one partition, because the sweeper reads all of them every minute. */
const expectedItem = itemReader('expected file', expectedFile.extend({ verdict: jsonText(verdict).optional() }));

/** Sorted by team, type and hour. */
export const listExpectedFiles = async (database: Database, teamId?: string): Promise<ExpectedFile[]> => {
  const prefix = teamId === undefined ? {} : { prefix: expectedPrefix(teamId) };
  return (await all(database, { pk: expectedPartition, ...prefix })).map(expectedItem);
};

/** Replaces the settings of a file that is already expected at this hour; what has arrived and how it ended stays. */
export async function saveExpectedFile(
  database: Database,
  { verdict: _, verdicts: __, ...expected }: ExpectedFile,
): Promise<void> {
  const key = expectedFileKey(expected);
  const [isNew] = await database.write([{ kind: 'insert', item: { ...key, ...expected } }]);
  if (isNew) return;
  const { time_zone, max_rejected, min_rows, map, inserted_at } = expected;
  const set = { time_zone, max_rejected, min_rows, map, inserted_at };
  await database.write([{ kind: 'update', key, set, expect: {} }]);
}

/** @returns false if no such file is expected. */
export const deleteExpectedFile = (
  database: Database,
  expected: Pick<ExpectedFile, 'team_id' | 'type' | 'by'>,
): Promise<boolean> =>
  database.transact([{ kind: 'delete', key: expectedFileKey(expected), expect: { team_id: expected.team_id } }]);

/** Records the arrival of a file of this type in the team's expected files, and returns these. */
export async function recordArrival(
  database: Database,
  teamId: string,
  type: DropKind,
  at: string,
): Promise<ExpectedFile[]> {
  const expected = (await listExpectedFiles(database, teamId)).filter((each) => each.type === type);
  for (const each of expected) {
    const { last_arrival_at } = each;
    if (last_arrival_at !== null && last_arrival_at >= at) continue;
    // If this loses the race, another file of the same type has arrived.
    await database.write([
      { kind: 'update', key: expectedFileKey(each), set: { last_arrival_at: at }, expect: { last_arrival_at } },
    ]);
  }
  return expected;
}

/** @returns false if another verdict was stored since the expected file was read. */
export async function saveVerdict(database: Database, expected: ExpectedFile, verdict: Verdict): Promise<boolean> {
  return writeOne(database, {
    kind: 'update',
    key: expectedFileKey(expected),
    set: { verdict: JSON.stringify(verdict), verdicts: (expected.verdicts ?? 0) + 1 },
    expect: { verdicts: expected.verdicts },
  });
}
