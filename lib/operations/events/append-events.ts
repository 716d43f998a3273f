import type { ServiceEvent } from '../../domain/event.ts';
import type { Database } from '../../store/database.ts';
import { appendable, appendPacks, logHead } from '../../store/event-log.ts';
import { contendedRounds, lostRace, type RetryDependencies, untilWritten } from '../retry.ts';

export type AppendDependencies = RetryDependencies & {
  database: Database;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Days that events are kept. */
  eventRetentionDays: number;
};

/** Appends events to the log of their team, in this order. After an error, some of them can have been appended. */
export async function appendEvents(
  dependencies: AppendDependencies,
  teamId: string,
  events: readonly ServiceEvent[],
): Promise<void> {
  const { database, now, eventRetentionDays: retentionDays } = dependencies;
  for (const packs of appendable(events)) {
    await untilWritten(
      dependencies,
      'other publishers were always first',
      async () => {
        const head = await logHead(database, teamId);
        return (await appendPacks(database, { teamId, head, packs, now: now(), retentionDays })) || lostRace;
      },
      contendedRounds,
    );
  }
}
