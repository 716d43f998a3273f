import { Problem } from '../domain/problem.ts';
import { afterScan, freeScanUnits, secondsToNextMinute, usedAt } from '../domain/scan-budget.ts';
import type { Database } from '../store/database.ts';
import { loadScanUse, metered, saveScanUse } from '../store/scan-uses.ts';
import { lostRace, type RetryDependencies, untilWritten } from './retry.ts';

export type ScanDependencies = RetryDependencies & {
  database: Database;
  now(): number;
  /** Read units that a client may use for scans each minute. */
  scanUnits: number;
};
export type ScanCaller = { teamId: string; clientId: string };

/**
 * Runs a scan of the directory and counts its read units against the budget of the client. A scan that has begun is
 * completed, so one scan can exceed the budget.
 * @throws Problem `too_many_requests` if the client has used its budget of this minute
 */
export async function withinScanBudget<T>(
  dependencies: ScanDependencies,
  { teamId, clientId }: ScanCaller,
  scan: (database: Database) => Promise<T>,
): Promise<T> {
  const { database, now, scanUnits } = dependencies;
  const found = await loadScanUse(database, teamId, clientId);
  if (usedAt(found.use, now()) >= scanUnits) {
    throw new Problem('too_many_requests', undefined, { retryAfter: secondsToNextMinute(now()) });
  }
  const meter = metered(database);
  const result = await scan(meter.database);
  const units = meter.units();
  if (units < freeScanUnits) return result;
  await untilWritten(dependencies, 'the use of scans is contended', async (round) => {
    const current = round === 0 ? found : await loadScanUse(database, teamId, clientId);
    const use = afterScan(current.use, units, now());
    return (await saveScanUse(database, teamId, clientId, use, current)) ? undefined : lostRace;
  });
  return result;
}
