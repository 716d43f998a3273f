import type { DropKind } from '../../domain/drop-box/drop.ts';
import {
  type EndedFile,
  type ExpectedFile,
  type ExpectedState,
  expectationOf,
  judged,
  stateOfExpected,
} from '../../domain/drop-box/expected-file.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { listExpectedFiles, saveVerdict } from '../../store/drop-box/expected-files.ts';
import type { Database } from '../../store/table/database.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service } from '../service.ts';

/** The expected files of all teams that are missing, or whose last file failed or is not as expected. */
export async function deviatingFiles({
  database,
  now,
}: {
  database: Database;
  now(): number;
}): Promise<(ExpectedFile & { state: Exclude<ExpectedState, 'ok'> })[]> {
  const files = await listExpectedFiles(database);
  return files.flatMap((each) => {
    const state = stateOfExpected(each, now());
    return state === 'ok' ? [] : [{ ...each, state }];
  });
}

/**
 * Records how a dropped file ended in the expected file that it is. It can be repeated.
 * @returns what is not as expected
 */
export async function judgeFile(
  service: Service,
  { teamId, type }: { teamId: string; type: DropKind },
  file: EndedFile,
): Promise<readonly string[]> {
  const { database } = service;
  return untilWritten(service, 'too many conflicts on the expected file', async () => {
    const expected = (await listExpectedFiles(database, teamId)).filter((each) => each.type === type);
    const found = expectationOf(expected, file.received_at);
    if (!found) return [];
    const hour = timestamp(found.hour);
    const verdict = judged(found.expected, hour, file);
    // A file that arrived for an earlier hour and ended late says nothing about the last hour.
    const isOutdated = (found.expected.verdict?.hour ?? hour) > hour;
    if (!isOutdated && !(await saveVerdict(database, found.expected, verdict))) return lostRace;
    return verdict.deviations;
  });
}
