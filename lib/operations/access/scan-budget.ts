import type { Caller } from '../../domain/access/caller.ts';
import {
  afterReservation,
  afterScan,
  freeScanUnits,
  reservationFor,
  secondsToNextMinute,
} from '../../domain/access/scan-budget.ts';
import { Problem } from '../../domain/values/problem.ts';
import { loadScanUse, metered, type StoredScanUse, saveScanUse } from '../../store/access/scan-uses.ts';
import type { Database } from '../../store/table/database.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service, Settings } from '../service.ts';

/**
 * Runs a scan of the directory within the budget of the client. The expected cost is reserved before the scan and
 * replaced by the actual cost after it. A scan that has begun is completed, so one scan can exceed the budget.
 * @throws Problem `too_many_requests` if the client has used or reserved its budget of this minute
 */
export async function withinScanBudget<T>(
  service: Service & Pick<Settings, 'scanUnits'>,
  caller: Pick<Caller, 'teamId' | 'clientId'>,
  scan: (database: Database) => Promise<T>,
): Promise<T> {
  const reservation = await reserve(service, caller);
  const meter = metered(service.database);
  try {
    return await scan(meter.database);
  } finally {
    await settle(service, caller, reservation, meter.units());
  }
}

const tooManyConflicts = 'too many conflicts on the use of scans';

type Reservation = { reserved: number; reservedAt: number; stored: StoredScanUse };

const reserve = (
  service: Service & Pick<Settings, 'scanUnits'>,
  { teamId, clientId }: Pick<Caller, 'teamId' | 'clientId'>,
): Promise<Reservation> => {
  const { database, now, scanUnits } = service;
  const attempt = async () => {
    const stored = await loadScanUse(database, teamId, clientId);
    const reservedAt = now();
    const reserved = reservationFor(stored.use, scanUnits, reservedAt);
    if (reserved === 'wait') return lostRace;
    if (reserved === 'refuse') {
      throw new Problem('too_many_requests', undefined, { retryAfter: secondsToNextMinute(reservedAt) });
    }
    if (reserved === 0) return { reserved, reservedAt, stored };
    const use = afterReservation(stored.use, reserved, reservedAt);
    const isSaved = await saveScanUse(database, teamId, clientId, use, stored);
    return isSaved ? { reserved, reservedAt, stored: { use, version: stored.version + 1 } } : lostRace;
  };
  return untilWritten(service, tooManyConflicts, attempt);
};

async function settle(
  service: Service & Pick<Settings, 'scanUnits'>,
  { teamId, clientId }: Pick<Caller, 'teamId' | 'clientId'>,
  { stored, ...reservation }: Reservation,
  units: number,
): Promise<void> {
  if (reservation.reserved === 0 && units < freeScanUnits) return;
  const { database, now } = service;
  const attempt = async (round: number) => {
    const current = round === 0 ? stored : await loadScanUse(database, teamId, clientId);
    const use = afterScan(current.use, { ...reservation, units }, now());
    return (await saveScanUse(database, teamId, clientId, use, current)) ? undefined : lostRace;
  };
  await untilWritten(service, tooManyConflicts, attempt);
}
