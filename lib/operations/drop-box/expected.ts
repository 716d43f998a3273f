import { parseDropKey } from '../../domain/drop.ts';
import { type ExpectedFile, isMissing } from '../../domain/expected-file.ts';
import type { Database } from '../../store/database.ts';
import { listDrops } from '../../store/drop-files.ts';
import { listExpectedFiles } from '../../store/expected-files.ts';

/** The expected files of all teams that have not arrived by their hour. */
export async function missingFiles({ database, now }: { database: Database; now(): number }): Promise<ExpectedFile[]> {
  return (await listExpectedFiles(database)).filter((expected) => isMissing(expected, now()));
}

/** The team's newest files, among which the last one of the type is searched. */
const searchedFiles = 100;

/** `failed`: the last file of the type that arrived was not completed. */
export async function expectedState(
  { database, now }: { database: Database; now(): number },
  expected: ExpectedFile,
): Promise<'ok' | 'missing' | 'failed'> {
  if (isMissing(expected, now())) return 'missing';
  const isOfType = ({ key }: { key: string }) => {
    const owner = parseDropKey(key);
    return !('error' in owner) && owner.kind === expected.type;
  };
  const last = (await listDrops(database, expected.team_id, searchedFiles)).find(isOfType);
  return last?.outcome && last.outcome.status !== 'completed' ? 'failed' : 'ok';
}
