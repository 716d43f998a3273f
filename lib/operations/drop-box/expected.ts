import { type ExpectedFile, isMissing } from '../../domain/expected-file.ts';
import type { Database } from '../../store/database.ts';
import { listExpectedFiles } from '../../store/expected-files.ts';

/** The expected files of all teams that have not arrived by their hour. */
export async function missingFiles({ database, now }: { database: Database; now(): number }): Promise<ExpectedFile[]> {
  return (await listExpectedFiles(database)).filter((expected) => isMissing(expected, now()));
}
