import * as z from 'zod';
import type { Contact } from '../../domain/contacts/contact.ts';
import { type Attempts, noAttempts } from '../../domain/journeys/identity-attempts.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { contactCheck } from '../contacts/contacts.ts';
import { type Database, type Item, versioned } from '../table/database.ts';
import { identityCheckKey } from '../table/keys.ts';
import { itemReader, storedTime, storedVersion } from '../table/stored-item.ts';

/** The attempts to prove to be a contact, and their version as the condition of the next write; 0 if there are none. */
export type StoredAttempts = { attempts: Attempts; version: number };

const attemptsItem = itemReader(
  'count of identity attempts',
  z.object({ attempts: z.int(), paused_until: storedTime.nullable(), version: storedVersion }),
);

export async function loadAttempts(database: Database, teamId: string, contactId: string): Promise<StoredAttempts> {
  const [item] = await database.get([identityCheckKey(teamId, contactId)]);
  return storedAttempts(item);
}

/** The attempts that are stored in this item; no attempts if there is no item. */
export function storedAttempts(item: Item | undefined): StoredAttempts {
  if (!item) return { attempts: noAttempts, version: 0 };
  const { attempts: count, paused_until, version } = attemptsItem(item);
  return { attempts: { count, pausedUntil: paused_until === null ? null : Date.parse(paused_until) }, version };
}

/** Writes the attempts. False if another write changed them since they were read, or the contact was erased. */
export function saveAttempts(
  database: Database,
  teamId: string,
  contact: Pick<Contact, 'id' | 'inserted_at'>,
  { count, pausedUntil }: Attempts,
  { version }: StoredAttempts,
): Promise<boolean> {
  const key = identityCheckKey(teamId, contact.id);
  const paused_until = pausedUntil === null ? null : timestamp(pausedUntil);
  const write = versioned(key, version, { attempts: count, paused_until });
  return database.transact([write, contactCheck(teamId, contact)]);
}
