import * as z from 'zod';
import { type Database, type Item, versioned, type Write } from '../table/database.ts';
import { addressWeekKey, contactWeekKey } from '../table/keys.ts';
import { itemReader, storedVersion } from '../table/stored-item.ts';

/** When marketing messages were sent in the last seven days, by the ids of the messages. */
export type Week = { sent: Readonly<Record<string, string>>; version: number };

const weekItem = itemReader(
  'week of messages',
  z.object({ sent: z.record(z.string(), z.string()), version: storedVersion }),
);
export const weekOf = (item: Item | undefined): Week => (item ? weekItem(item) : { sent: {}, version: 0 });

export const loadContactWeek = async (database: Database, teamId: string, contactId: string): Promise<Week> =>
  weekOf((await database.get([contactWeekKey(teamId, contactId)]))[0]);
export const loadAddressWeek = async (database: Database, teamId: string, hash: string): Promise<Week> =>
  weekOf((await database.get([addressWeekKey(teamId, hash)]))[0]);

const week = 7 * 24 * 3600_000;
/** Seven days before this time. What was sent since counts. */
export const weekBefore = (now: number): number => now - week;

/** The times at which others than this message were sent. */
export const timesIn = ({ sent }: Week, messageId: string): string[] =>
  Object.entries(sent)
    .filter(([id]) => id !== messageId)
    .map(([, at]) => at);

/** For the transaction that claims a message: it counts for its contact and for its address. */
export function weekWrites(
  teamId: string,
  message: { id: string; at: string },
  contact: { id: string; since: string; week: Week },
  address: { hash: string; week: Week },
): Write[] {
  const now = Date.parse(message.at);
  const next = ({ sent }: Week) => ({
    sent: {
      ...Object.fromEntries(Object.entries(sent).filter(([, at]) => Date.parse(at) > weekBefore(now))),
      [message.id]: message.at,
    },
  });
  const expires_at = Math.ceil((now + week) / 1000) + 3600;
  return [
    versioned(contactWeekKey(teamId, contact.id), contact.week.version, {
      ...next(contact.week),
      contact_since: contact.since,
    }),
    versioned(addressWeekKey(teamId, address.hash), address.week.version, { ...next(address.week), expires_at }),
  ];
}
