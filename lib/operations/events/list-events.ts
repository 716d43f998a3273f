import { matchesType, type ServiceEvent } from '../../domain/events/event.ts';
import { eventListLimits, eventListPages } from '../../domain/events/event-list.ts';
import type { EventList } from '../../domain/events/event-list-responses.ts';
import { Problem } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { isExpired, positionAt, readEvents } from '../../store/events/event-log.ts';
import { Cursors } from '../access/cursors.ts';
import type { Service, Settings } from '../service.ts';

const day = 24 * 3600 * 1000;

/**
 * A page of the team's events, and the cursor of those that follow, now or later.
 * @throws Problem `invalid_request` if the cursor is invalid or contradicts the other parameters; `gone` if events that
 * it has not read are no longer kept, or the table was restored since
 */
export async function listEvents(
  { database, now, eventRetentionDays, eventEpoch }: Service & Pick<Settings, 'eventRetentionDays' | 'eventEpoch'>,
  teamId: string,
  sent: {
    type?: string | undefined;
    since?: string | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  },
): Promise<EventList> {
  const { type, since = '', cursor, limit = eventListLimits.default } = sent;
  const time = now();
  const oldest = time - eventRetentionDays * day;
  const cursors = new Cursors(database, teamId, eventListPages);
  const after = cursor === undefined ? undefined : (await cursors.decrypt(cursor, { type })).after;
  // What was published after the backup is not in a restored table, and the positions were given again.
  if (after && (after.at < oldest || after.epoch !== eventEpoch)) throw new Problem('gone');
  const start = timestamp(oldest) > since ? timestamp(oldest) : since;
  const position = after ?? (await positionAt(database, teamId, start, time));
  const filters = type?.split(',');
  const isWanted = (event: ServiceEvent) => !filters || filters.some((filter) => matchesType(filter, event.type));
  const { events, next, hasMore } = await readEvents(database, teamId, position, limit, isWanted);
  const isRead = next.seq !== position.seq || next.index !== position.index;
  if (after && !isRead && (await isExpired(database, teamId, position, time))) throw new Problem('gone');
  const nextCursor = { query: { type: type ?? '' }, after: { ...next, at: time, epoch: eventEpoch } };
  return { events, has_more: hasMore, next_cursor: await cursors.encrypt(nextCursor) };
}
