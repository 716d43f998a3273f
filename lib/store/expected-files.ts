import * as z from 'zod';
import type { DropKind } from '../domain/drop.ts';
import type { ExpectedFile } from '../domain/expected-file.ts';
import { all, type Database } from './database.ts';
import { expectedFileKey, expectedPartition, expectedPrefix } from './keys.ts';
import { itemReader, storedTime } from './stored-item.ts';

/** The expected files of all teams: one partition, because the sweeper reads all of them every minute. */
const expectedItem = itemReader(
  'expected file',
  z.object({
    team_id: z.string(),
    type: z.enum(['accounts', 'contacts']),
    by: z.string(),
    time_zone: z.string(),
    inserted_at: storedTime,
    last_arrival_at: storedTime.nullable(),
  }),
);

/** Sorted by team, type and hour. */
export const listExpectedFiles = async (database: Database, teamId?: string): Promise<ExpectedFile[]> => {
  const prefix = teamId === undefined ? {} : { prefix: expectedPrefix(teamId) };
  return (await all(database, { pk: expectedPartition, ...prefix })).map(expectedItem);
};

/** Replaces the time zone of a file that is already expected at this hour. */
export async function saveExpectedFile(database: Database, expected: ExpectedFile): Promise<void> {
  const key = expectedFileKey(expected);
  const [isNew] = await database.write([{ kind: 'insert', item: { ...key, ...expected } }]);
  if (isNew) return;
  const { time_zone, inserted_at } = expected;
  await database.write([{ kind: 'update', key, set: { time_zone, inserted_at }, expect: {} }]);
}

/** @returns false if no such file is expected. */
export const deleteExpectedFile = (
  database: Database,
  expected: Pick<ExpectedFile, 'team_id' | 'type' | 'by'>,
): Promise<boolean> =>
  database.transact([{ kind: 'delete', key: expectedFileKey(expected), expect: { team_id: expected.team_id } }]);

/** Records the arrival of a file of this type in the team's expected files. */
export async function recordArrival(database: Database, teamId: string, type: DropKind, at: string): Promise<void> {
  const expected = (await listExpectedFiles(database, teamId)).filter((each) => each.type === type);
  for (const each of expected) {
    const { last_arrival_at } = each;
    if (last_arrival_at !== null && last_arrival_at >= at) continue;
    // If this loses the race, another file of the same type has arrived.
    await database.write([
      { kind: 'update', key: expectedFileKey(each), set: { last_arrival_at: at }, expect: { last_arrival_at } },
    ]);
  }
}
