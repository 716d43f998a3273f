import * as z from 'zod';
import type { Database, Write } from './database.ts';
import { erasureKey } from './keys.ts';
import { itemReader, jsonText, storedTime, storedVersion } from './stored-item.ts';

/** How far the erasure of a person has come, so that it can be resumed. */

export const erasureSteps = ['files', 'contact', 'items', 'payloads', 'rest'] as const;

const stateSchema = z.object({
  contact_id: z.string(),
  /** The `unique_id`s of the person: the present one, and former ones with the time at which they were given up. */
  names: z.array(z.object({ unique_id: z.string(), until: storedTime.optional() })),
  /** Chunks up to this order number were accepted before the contact is deleted. */
  order: z.int(),
  begun_at: storedTime,
  step: z.enum(erasureSteps),
  /** When the contact was deleted. */
  erased_at: storedTime.optional(),
  /** When the payloads had been searched. */
  rest_at: storedTime.optional(),
  /** Where the search through the team's list of batches continues. */
  after: z.string().optional(),
  counts: z.record(z.string(), z.int()),
});

export type ErasureState = z.output<typeof stateSchema>;
export type StoredErasure = { state: ErasureState; version: number };
/** A name of the person, and until when it was one. */
export type PersonName = ErasureState['names'][number];

const erasureItem = itemReader('erasure', z.object({ data: jsonText(stateSchema), version: storedVersion }));

export async function loadErasure(
  database: Database,
  teamId: string,
  uniqueId: string,
): Promise<StoredErasure | undefined> {
  const [item] = await database.get([erasureKey(teamId, uniqueId)]);
  if (!item) return undefined;
  const { data: state, version } = erasureItem(item);
  return { state, version };
}

/** For a transaction: the state as it becomes, over the version that was read (0: there was none). */
export function erasureWrite(teamId: string, uniqueId: string, state: ErasureState, version: number): Write {
  const key = erasureKey(teamId, uniqueId);
  const set = { data: JSON.stringify(state), version: version + 1 };
  return version === 0
    ? { kind: 'insert', item: { ...key, ...set } }
    : { kind: 'update', key, set, expect: { version } };
}

/** For the transaction that ends it. */
export const erasureEnd = (teamId: string, uniqueId: string, version: number): Write => ({
  kind: 'delete',
  key: erasureKey(teamId, uniqueId),
  expect: { version },
});
