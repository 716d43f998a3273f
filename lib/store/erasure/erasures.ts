import * as z from 'zod';
import { type Database, type Item, readAll, readOne, versioned, type Write } from '../table/database.ts';
import { erasureKey, erasureKeyOf } from '../table/keys.ts';
import { itemReader, jsonText, storedTime, storedVersion } from '../table/stored-item.ts';

/** The state of the erasure of a person, from which an interrupted erasure is resumed. */

const erasureSteps = ['files', 'contact', 'items', 'payloads', 'rest'] as const;

const stateSchema = z.object({
  contact_id: z.string(),
  /** `inserted_at` of the contact that was deleted. Another contact with the same id was created before or after it. */
  contact_since: storedTime.optional(),
  /** The `unique_id`s of the person: the present one, and former ones with the time of the change. */
  names: z.array(z.object({ unique_id: z.string(), until: storedTime.optional() })),
  /** Chunks up to this order number were accepted before the contact was deleted. */
  order: z.int(),
  begun_at: storedTime,
  step: z.enum(erasureSteps),
  /** The time at which the contact was deleted. */
  erased_at: storedTime.optional(),
  /** The position in the team's files at which the search continues. */
  searched: z.string().optional(),
  /** The position in the team's list of batches at which the search continues. */
  after: z.string().optional(),
  counts: z.record(z.string(), z.int()),
  /** Keys of files that were deleted as a whole, and of files of which nobody can tell if they name the person. */
  files_deleted: z.array(z.string()).default([]),
  files_unknown: z.array(z.string()).default([]),
  /** Set if an erasure is repeated after a restore: the time of the first one. */
  first_erased_at: storedTime.optional(),
});

export type ErasureState = z.output<typeof stateSchema>;
export type StoredErasure = { state: ErasureState; version: number };
/** A `unique_id` of the person; a former one with the time of the change. */
export type PersonName = ErasureState['names'][number];

const erasureItem = itemReader('erasure', z.object({ data: jsonText(stateSchema), version: storedVersion }));

export const loadErasure = (database: Database, teamId: string, uniqueId: string) =>
  readOne(database, erasureKey(teamId, uniqueId), storedErasure);

function storedErasure(item: Item): StoredErasure {
  const { data: state, version } = erasureItem(item);
  return { state, version };
}

/** The interrupted erasures of the persons with one of these digests of a `unique_id`. */
export async function loadErasures(
  database: Database,
  teamId: string,
  digests: readonly string[],
): Promise<StoredErasure[]> {
  const keys = digests.map((digest) => erasureKeyOf(teamId, digest));
  return (await readAll(database, keys, storedErasure)).filter((erasure) => erasure !== undefined);
}

/** For a transaction: writes the state on the condition of the version that was read (0: no item). */
export function erasureWrite(teamId: string, uniqueId: string, state: ErasureState, version: number): Write {
  return versioned(erasureKey(teamId, uniqueId), version, { data: JSON.stringify(state) });
}

/** For the transaction that completes the erasure. */
export const erasureEnd = (teamId: string, uniqueId: string, version: number): Write => ({
  kind: 'delete',
  key: erasureKey(teamId, uniqueId),
  expect: { version },
});
