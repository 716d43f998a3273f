import { matchesType } from '../../domain/event.ts';
import { eventListLimits, eventListPages } from '../../domain/event-list.ts';
import type { EventList } from '../../domain/event-list-responses.ts';
import { Problem } from '../../domain/problem.ts';
import { timestamp } from '../../domain/timestamp.ts';
import type { Database } from '../../store/database.ts';
import { isExpired, positionAt, readEvents } from '../../store/event-log.ts';
import { requestedPage } from '../cursors.ts';

export type ListEventsDependencies = {
  database: Database;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Days that events are kept. */
  eventRetentionDays: number;
};

const day = 24 * 3600 * 1000;

/**
 * A page of the team's events, and the cursor of those that follow, now or later.
 * @throws Problem `invalid_request` if the cursor is invalid or contradicts the other parameters; `gone` if events that
 * it has not read are no longer kept
 */
export async function listEvents(
  { database, now, eventRetentionDays }: ListEventsDependencies,
  teamId: string,
  sent: {
    type?: string | undefined;
    since?: string | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  },
): Promise<EventList> {
  const { cursor, limit = eventListLimits.default, ...parameters } = sent;
  const time = now();
  const oldest = time - eventRetentionDays * day;
  const { query, after, cursorAt } = await requestedPage(database, teamId, eventListPages, cursor, parameters);
  if (after && after.at < oldest) throw new Problem('gone');
  const start = timestamp(oldest) > query.since ? timestamp(oldest) : query.since;
  const position = after ?? (await positionAt(database, teamId, start, time));
  const filters = query.type === '' ? [] : query.type.split(',');
  const isWanted = ({ type }: { type: string }) =>
    filters.length === 0 || filters.some((filter) => matchesType(filter, type));
  const { events, next, hasMore } = await readEvents(database, teamId, position, limit, isWanted);
  const isRead = next.seq !== position.seq || next.index !== position.index;
  if (after && !isRead && (await isExpired(database, teamId, position, time))) throw new Problem('gone');
  return { events, has_more: hasMore, next_cursor: await cursorAt({ ...next, at: time }) };
}
