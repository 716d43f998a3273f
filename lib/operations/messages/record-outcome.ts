import { type Outcome, type SendRecord, withOutcome } from '../../domain/messages/record.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { loadRecord, type RecordPlace, recordWrites } from '../../store/messages/records.ts';
import { lostRace, untilWritten } from '../retry.ts';
import type { Service } from '../service.ts';

/**
 * Records what became of a message. A record that does not exist is not created: the person was erased.
 * @returns the record before and after; `undefined` if there is none
 */
export async function recordOutcome(
  service: Service,
  teamId: string,
  place: RecordPlace,
  outcome: Outcome,
): Promise<{ before: SendRecord; after: SendRecord } | undefined> {
  const { database, now } = service;
  return untilWritten(service, 'too many conflicts on the record of a message', async () => {
    const stored = await loadRecord(database, teamId, place);
    if (!stored) return undefined;
    const { record: before, version } = stored;
    const after = withOutcome(before, outcome, timestamp(now()));
    if (after === before) return { before, after };
    return (await database.transact(recordWrites(teamId, place, after, version))) ? { before, after } : lostRace;
  });
}
