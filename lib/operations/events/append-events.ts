import type { ServiceEvent } from '../../domain/events/event.ts';
import { appendable, appendPacks, type LogHead, logHead } from '../../store/events/event-log.ts';
import { conflictRounds, lostRace, untilWritten } from '../retry.ts';
import type { Service, Settings } from '../service.ts';

/**
 * Appends events to the log of their team, in this order. After an error, some of them can have been appended.
 * @returns the head of the log before these events
 */
export async function appendEvents(
  service: Service & Pick<Settings, 'eventRetentionDays'>,
  teamId: string,
  events: readonly ServiceEvent[],
): Promise<LogHead | undefined> {
  const { database, now, eventRetentionDays: retentionDays } = service;
  let first: LogHead | undefined;
  for (const packs of appendable(events)) {
    const before = await untilWritten(
      service,
      'other publishers were always first',
      async () => {
        const head = await logHead(database, teamId);
        return (await appendPacks(database, { teamId, head, packs, now: now(), retentionDays })) ? head : lostRace;
      },
      conflictRounds,
    );
    first ??= before;
  }
  return first;
}
