import * as z from 'zod';
import { timestamp } from '../../domain/values/timestamp.ts';
import type { LateLinks } from '../accounts/accounts.ts';
import { all, type Database, type Item, versioned, type Write, writeOne } from '../table/database.ts';
import { erasureRequestKey, erasureRequestsPartition, type Key, lateLinksKey } from '../table/keys.ts';
import { itemReader, storedTime, storedVersion } from '../table/stored-item.ts';

/**
 * Accepted requests to erase a contact. They have only ids. All teams share one partition, because the function that
 * works them reads all of them every minute.
 */

const requestSchema = z.object({
  team_id: z.string(),
  contact_id: z.string(),
  /** Of the contact. A contact with the same id and another time was created after the erasure. */
  inserted_at: storedTime,
  /** Digest of the contact's `unique_id`. It finds the state of an interrupted erasure. */
  digest: z.string(),
  /** The client that sent the request, and the id of its entries in the audit log. */
  client_id: z.string(),
  act_id: z.string(),
  requested_at: storedTime,
  /** Set if only these links are left, because a worker has written them after the erasure. */
  late: z.object({ order: z.int(), account_numbers: z.array(z.string()) }).optional(),
  /** Until then, the function that claimed the request is working it. */
  leased_until: storedTime.optional(),
  version: storedVersion,
});

export type StoredErasureRequest = z.output<typeof requestSchema>;
export type ErasureRequest = Omit<StoredErasureRequest, 'version'>;

const requestOf: (item: Item) => StoredErasureRequest = itemReader('erasure request', requestSchema);

/** Each request for late links has a key of its own. */
const keyOf = ({ team_id, contact_id, late, act_id }: ErasureRequest): Key =>
  late ? lateLinksKey(team_id, contact_id, act_id) : erasureRequestKey(team_id, contact_id);

export const loadErasureRequest = (database: Database, teamId: string, contactId: string) =>
  loadAt(database, erasureRequestKey(teamId, contactId));

/** The request as it is stored now, or another one of the same contact. */
export const reloadErasureRequest = (database: Database, request: ErasureRequest) => loadAt(database, keyOf(request));

async function loadAt(database: Database, { pk, sk }: Key): Promise<StoredErasureRequest | undefined> {
  const [item] = await all(database, { pk, from: sk, to: sk });
  return item && requestOf(item);
}

/** Those of all teams, the oldest first. */
export async function listErasureRequests(database: Database): Promise<StoredErasureRequest[]> {
  const requests = (await all(database, { pk: erasureRequestsPartition })).map(requestOf);
  return requests.sort((a, b) => (a.requested_at < b.requested_at ? -1 : 1));
}

/**
 * @param version that was read; 0 if there was no request
 * @returns the stored request; `undefined` if another writer was first
 */
export async function saveErasureRequest(
  database: Database,
  { leased_until, ...request }: ErasureRequest,
  version: number,
): Promise<StoredErasureRequest | undefined> {
  const stored = { ...request, leased_until, version: version + 1 };
  const write = versioned(keyOf(request), version, { ...request, leased_until });
  return (await writeOne(database, write)) ? stored : undefined;
}

/** Requests the deletion of links that a worker has written after the erasure of their contact. */
export async function requestSweep(
  { database, now, newId }: { database: Database; now(): number; newId(): string },
  team_id: string,
  contact_id: string,
  { order, account_numbers }: LateLinks,
): Promise<void> {
  const requested_at = timestamp(now());
  const late = { order, account_numbers: [...account_numbers] };
  const none = { inserted_at: requested_at, digest: '', client_id: '', act_id: newId() };
  await saveErasureRequest(database, { team_id, contact_id, ...none, requested_at, late }, 0);
}

/** On the condition that the contact was not created and requested again. */
export const erasureRequestEnd = (request: StoredErasureRequest): Write => ({
  kind: 'delete',
  key: keyOf(request),
  expect: { version: request.version },
});
