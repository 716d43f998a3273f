import { Problem } from '../../../../lib/domain/values/problem.ts';
import { workTeam } from '../../../../lib/operations/imports/work.ts';
import { lostRace, untilWritten } from '../../../../lib/operations/retry.ts';
import type { ImportService } from '../../../../lib/operations/service.ts';
import type { DropBoxFiles } from '../../../../lib/store/drop-box/drop-box-files.ts';
import { loadFailed, loadWork } from '../../../../lib/store/imports/import-work.ts';
import { storedJourney } from '../../../../lib/store/journeys/journey-items.ts';
import { all, chunksOf, type Database, type Item } from '../../../../lib/store/table/database.ts';
import { isKeptByReset, teamItemKind } from '../../../../lib/store/table/item-kinds.ts';
import {
  countersPartition,
  journeyIdKey,
  type Key,
  partsOfJourneyKey,
  slugKey,
} from '../../../../lib/store/table/keys.ts';
import { listTeamFiles } from '../../store/campaigns/team-files.ts';
import { removeFile, type TeamFileService } from '../campaigns/team-files.ts';
import { cancelBatch } from '../imports/cancel.ts';
import { discardFailed } from '../imports/failed.ts';

export type ClearService = ImportService &
  TeamFileService & {
    files: DropBoxFiles;
    /** All items of the team, page by page. */
    scanTeam(teamId: string): AsyncIterable<Item[]>;
  };

const openAtOnce = 100;
/** Items that one transaction deletes: a journey takes three of its hundred writes. */
const itemsAtOnce = 30;

/**
 * Deletes everything of the team except what {@link isKeptByReset} names. It is safe to stop it and to call it again.
 * @returns the number of deleted items of the table
 */
export async function clearTeam(service: ClearService, teamId: string): Promise<number> {
  const { database, files, scanTeam } = service;
  await endImports(service, teamId);
  for await (const { key, version } of files.list(`${teamId}/`)) await files.remove(key, version);
  for (const { file_id } of await listTeamFiles(database, teamId)) await removeFile(service, teamId, file_id);
  let deleted = 0;
  const counters = new Set<string>();
  for await (const items of scanTeam(teamId)) {
    const toDelete = items.filter((item) => !isKeptByReset(teamId, item));
    for (const item of toDelete) for (const partition of countersOf(teamId, item)) counters.add(partition);
    for (const group of chunksOf(toDelete, itemsAtOnce)) await deleteItems(service, teamId, group);
    deleted += toDelete.length;
  }
  // Until they were deleted, journeys were still counted.
  for (const pk of counters) {
    for (const group of chunksOf(await all(database, { pk }), itemsAtOnce)) {
      await deleteItems(service, teamId, group);
    }
  }
  return deleted;
}

/** The partition of counters that the item is in, or that the journey is counted in. */
const countersOf = (teamId: string, item: Item): string[] =>
  teamItemKind(teamId, item) === 'journeys'
    ? [countersPartition(teamId, partsOfJourneyKey(item).templateId)]
    : item.pk.startsWith(countersPartition(teamId, ''))
      ? [item.pk]
      : [];

/** Cancels the open chunks, ends those that a worker has begun, and discards the failed ones. */
async function endImports(service: ImportService, teamId: string): Promise<void> {
  const { database } = service;
  for (;;) {
    const { open } = await loadWork(database, teamId, openAtOnce);
    if (open.length === 0) break;
    for (const batchId of new Set(open.map(({ batch_id }) => batch_id))) {
      await cancelBatch(service, teamId, batchId).catch(unlessGone);
    }
    await workTeam(service, teamId, () => true);
  }
  for (const chunk of await loadFailed(database, teamId)) await discardFailed(service, chunk).catch(unlessGone);
}

/** Another command ended it first. */
function unlessGone(error: unknown): void {
  if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
}

async function deleteItems(service: ClearService, teamId: string, items: readonly Item[]): Promise<void> {
  const { database } = service;
  const contacts = items.filter((item) => teamItemKind(teamId, item) === 'contacts');
  // Deleting a contact would be an event: it was erased. A reset is no event.
  const marks = contacts.map(
    ({ pk, sk }) => ({ kind: 'update', key: { pk, sk }, set: resetMark, expect: {} }) as const,
  );
  await database.write(marks);
  const keys = new Map(items.flatMap((item) => keysOf(teamId, item)).map((key) => [`${key.pk}\n${key.sk}`, key]));
  await untilWritten(service, 'too many conflicts on items of the team', async () => {
    const present = await existing(database, [...keys.values()]);
    if (present.length === 0) return undefined;
    return (await database.transact(present.map((key) => ({ kind: 'delete', key, expect: {} }))))
      ? undefined
      : lostRace;
  });
}

/** Makes a contact a placeholder. */
const resetMark = { moved_to: 'reset' };

/** With a journey, the items of its id and of its slug are deleted in the same transaction: no scan finds the slug. */
function keysOf(teamId: string, item: Item): Key[] {
  if (teamItemKind(teamId, item) !== 'journeys') return [{ pk: item.pk, sk: item.sk }];
  const { journey } = storedJourney(item);
  return [{ pk: item.pk, sk: item.sk }, journeyIdKey(teamId, journey.id), slugKey(journey.slug)];
}

async function existing(database: Database, keys: readonly Key[]): Promise<Key[]> {
  const items = await database.get(keys);
  return keys.filter((_, index) => items[index] !== undefined);
}
