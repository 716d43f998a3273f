import { timestamp } from '../../../../lib/domain/timestamp.ts';
import { lostRace, untilWritten } from '../../../../lib/operations/retry.ts';
import type { ErasureEntry } from '../../store/erasure-list.ts';
import { erasuresOf } from '../../store/person-items.ts';
import { countedItems, type EraseDependencies, eraseUntilRest, finish } from './erase.ts';
import { type Counts, Erasure } from './erasure.ts';
import { listedNames } from './listed-names.ts';
import { lastOrder } from './names.ts';

/** What a repeated erasure deleted, and when. `first_erased_at`: the time of the first erasure. */
export type RepeatedErasure = {
  team_id: string;
  contact_id: string;
  first_erased_at: string;
  erased_at: string;
  counts: Counts;
};

/**
 * Repeats the erasures of the list after a restore of the table. It returns only those that found something. A contact
 * that was created after its erasure is kept. If a run was interrupted, the next one resumes it.
 */
export async function eraseAgain(
  dependencies: EraseDependencies,
  entries: readonly ErasureEntry[],
): Promise<RepeatedErasure[]> {
  const repeated: RepeatedErasure[] = [];
  for (const [teamId, ofTeam] of Map.groupBy(entries, ({ team_id }) => team_id)) {
    dependencies.onProgress(`team ${teamId}: ${ofTeam.length} erasures in the list`);
    for (const erasure of await eraseInTeam(dependencies, teamId, ofTeam)) repeated.push(erasure);
  }
  return repeated.filter(({ counts }) => Object.keys(counts).length > 0);
}

/** The last step of an erasure waits, so the other steps of all erasures are first: they share one wait. */
async function eraseInTeam(
  dependencies: EraseDependencies,
  teamId: string,
  entries: readonly ErasureEntry[],
): Promise<RepeatedErasure[]> {
  const { database, now } = dependencies;
  const names = await listedNames(dependencies, teamId, entries);
  const last = await lastOrder(database, teamId);
  const lastSteps: (() => Promise<RepeatedErasure>)[] = [];
  for (const entry of entries) {
    const { team_id, contact_id, erased_at: first_erased_at } = entry;
    const first = { contact_id, names: names.get(entry)!, order: Math.min(entry.order, last), first_erased_at };
    const ids = { team_id, contact_id, first_erased_at };
    const [name] = first.names;
    if (name) {
      const erasure = await Erasure.open(dependencies, teamId, name.unique_id, first);
      await eraseUntilRest(dependencies, erasure);
      lastSteps.push(async () => {
        const { erased_at, counts } = await finish(dependencies, erasure);
        return { ...ids, erased_at, counts };
      });
    } else {
      const counts = await eraseItems(dependencies, teamId, first);
      lastSteps.push(async () => ({ ...ids, erased_at: timestamp(now()), counts }));
    }
  }
  const repeated: RepeatedErasure[] = [];
  for (const step of lastSteps) repeated.push(await step());
  return repeated;
}

/** Deletes items of a person whom nothing in the table names, such as links that waited for the contact. */
async function eraseItems(
  dependencies: EraseDependencies,
  teamId: string,
  { contact_id, order }: { contact_id: string; order: number },
): Promise<Counts> {
  const { database } = dependencies;
  const counts: Counts = {};
  await untilWritten(dependencies, 'too many conflicts on items of the contact', async () => {
    const found = await countedItems(dependencies, teamId, contact_id, order);
    for (const { items, writes } of await erasuresOf(database, teamId, found)) {
      if (!(await database.transact(writes))) return lostRace;
      for (const { kind } of items) counts[kind] = (counts[kind] ?? 0) + 1;
    }
    return undefined;
  });
  return counts;
}
