import type { ServiceEvent } from '../../../lib/domain/events/event.ts';
import { appendEvents } from '../../../lib/operations/events/append-events.ts';
import { type LogPage, type LogPosition, readEvents } from '../../../lib/store/events/event-log.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { serviceOn } from '../operations/operations.ts';

/** The log of one team. */
export const teamId = '8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de001';
export const logStart: LogPosition = { seq: 1, index: 0 };

/** An event with this number as the end of its id. */
export const event = (number: number, fields: Partial<ServiceEvent> = {}): ServiceEvent => ({
  id: `11111111-1111-5111-8111-${String(number).padStart(12, '0')}`,
  type: 'contact.created',
  at: '2026-03-01T12:00:00.000000Z',
  team_id: teamId,
  contact_id: '22222222-2222-5222-8222-222222222222',
  ...fields,
});
export const numberOf = ({ id }: ServiceEvent): number => Number(id.slice(-12));
export const numbered = (from: number, count: number): ServiceEvent[] =>
  Array.from({ length: count }, (_, n) => event(from + n));

export const publisher = (database: Database, now: () => number = Date.now) =>
  serviceOn(database, { now, pause: async () => {} });
export const append = (database: Database, events: readonly ServiceEvent[], now?: number) =>
  appendEvents(publisher(database, now === undefined ? undefined : () => now), teamId, events);

/** Reads from this position to the end, in pages of this size. */
export async function readAll(database: Database, position = logStart, limit = 100, team = teamId) {
  const events: ServiceEvent[] = [];
  let page: Pick<LogPage, 'events' | 'next' | 'hasMore'> = { events, next: position, hasMore: true };
  while (page.hasMore) {
    page = await readEvents(database, team, page.next, limit);
    events.push(...page.events);
  }
  return { numbers: events.map(numberOf), events, next: page.next };
}
