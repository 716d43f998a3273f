import { timestamp } from '../../../../lib/domain/timestamp.ts';
import { type EraseDependencies, eraseUntilRest, finish, type Receipt } from './erase.ts';
import { type Counts, Erasure } from './erasure.ts';

/** What was deleted of many persons. */
export type ListReceipt = Omit<Receipt, 'contact_id'> & {
  /** The number of `unique_id`s. */
  persons: number;
  /** Those of whom something was found. */
  contact_ids: readonly string[];
};

/**
 * Erases all of them; they share one wait. The next run with the same values resumes an interrupted one.
 * @throws Problem `conflict` as the erasure of one person
 */
export async function erasePersons(
  dependencies: EraseDependencies,
  teamId: string,
  uniqueIds: readonly string[],
): Promise<ListReceipt> {
  const { onProgress, now } = dependencies;
  const all = new Set(uniqueIds);
  for (const [at, uniqueId] of [...all].entries()) {
    onProgress(`person ${at + 1} of ${all.size}`);
    await eraseUntilRest(dependencies, await Erasure.open(dependencies, teamId, uniqueId));
  }
  const counts: Counts = {};
  const found = new Set<string>();
  const deleted = new Set<string>();
  const unknown = new Set<string>();
  for (const uniqueId of all) {
    const receipt = await finish(dependencies, await Erasure.open(dependencies, teamId, uniqueId));
    for (const [kind, count] of Object.entries(receipt.counts)) counts[kind] = (counts[kind] ?? 0) + count;
    if (receipt.contact_id !== null) found.add(receipt.contact_id);
    for (const key of receipt.files_deleted ?? []) deleted.add(key);
    for (const key of receipt.files_unknown ?? []) unknown.add(key);
  }
  return {
    ...{ erased_at: timestamp(now()), persons: all.size, contact_ids: [...found], counts },
    ...(deleted.size > 0 ? { files_deleted: [...deleted] } : {}),
    ...(unknown.size > 0 ? { files_unknown: [...unknown] } : {}),
  };
}
