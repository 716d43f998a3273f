import {
  type Listing,
  type SuppressionScope,
  suppressionScopes,
} from '../../../../lib/domain/suppression/suppression.ts';
import { notFound } from '../../../../lib/domain/values/problem.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { type ConsentService, returnByContact } from '../../../../lib/operations/contacts/leave.ts';
import { lostRace, untilWritten } from '../../../../lib/operations/retry.ts';
import type { SuppressionService } from '../../../../lib/operations/service.ts';
import { hashOf, journaled, suppress } from '../../../../lib/operations/suppression/suppress.ts';
import {
  listSuppressions,
  loadSuppressions,
  type StoredSuppression,
  writeOfSuppression,
} from '../../../../lib/store/suppression/suppression.ts';
import { chunksOf } from '../../../../lib/store/table/database.ts';
import { together } from '../../../../lib/store/table/together.ts';

/** The list of addresses of a team, for administrators. No address is stored: an address can only be asked for. */

/** An entry without its address. An address that is listed for both has two. */
export type ShownListing = { at: string; channel: 'email'; for: SuppressionScope; reason: Listing['reason'] };

export const listingsIn = (entry: StoredSuppression | undefined): ShownListing[] =>
  suppressionScopes.flatMap((scope) => {
    const listing = entry?.[scope];
    return listing ? [{ at: listing.at, channel: 'email', for: scope, reason: listing.reason }] : [];
  });

/** Every entry of the team, newest first. */
export async function* allListings(
  { database }: Pick<SuppressionService, 'database'>,
  teamId: string,
): AsyncGenerator<ShownListing> {
  for await (const { entry } of listSuppressions(database, teamId)) yield* listingsIn(entry);
}

/** Addresses that are listed at the same time. Each is an object of the journal. */
const atOnce = 16;
const readAtOnce = 100;

/**
 * Lists these addresses. Those that are listed already keep their reason and time, so it can be repeated.
 * @param hashes without repeats
 */
export async function listAddresses(
  service: SuppressionService,
  teamId: string,
  hashes: readonly string[],
  change: { scope: SuppressionScope; reason: 'added' | 'imported' },
  onProgress: (done: number) => void = () => {},
): Promise<{ added: number; already_listed: number }> {
  let [added, done] = [0, 0];
  for (const group of chunksOf(hashes, readAtOnce)) {
    const stored = await loadSuppressions(service.database, teamId, group);
    const missing = group.filter((_, index) => stored[index]?.[change.scope] === undefined);
    const written = await together(missing, atOnce, (hash) => suppress(service, teamId, hash, change));
    added += written.filter((isNew) => isNew).length;
    done += group.length;
    onProgress(done);
  }
  return { added, already_listed: hashes.length - added };
}

/**
 * Takes an address off the list, whatever it was listed for. Contacts that left with this address are opted in again, as by
 * their own link.
 * @param note why, for the journal
 * @returns what it was listed for, and the contacts that are opted in again
 * @throws Problem `not_found` if it is not listed
 */
export async function takeOff(
  service: ConsentService,
  teamId: string,
  address: string,
  note: string,
): Promise<{ removed: ShownListing[]; contact_ids: string[] }> {
  const { database, now } = service;
  const hash = await hashOf(service, teamId, address);
  const [before] = hash === undefined ? [] : await loadSuppressions(database, teamId, [hash]);
  if (hash === undefined || !before) throw notFound();
  const take = (scope: SuppressionScope) =>
    untilWritten(service, 'too many conflicts on a listed address', async () => {
      const [stored] = await loadSuppressions(database, teamId, [hash]);
      if (!stored?.[scope]) return;
      await journaled(service, teamId, { hash, change: 'removed', for: scope, note });
      const rest = { ...stored, [scope]: undefined };
      const next = rest.marketing || rest.all ? rest : undefined;
      const write = writeOfSuppression(teamId, hash, stored, next, timestamp(now()));
      return (await database.transact([write])) ? undefined : lostRace;
    });
  await take('all');
  const contact_ids: string[] = [];
  if (before.marketing) {
    const act = { source: { kind: 'command' }, hash } as const;
    for (const id of before.contact_ids) {
      if ((await returnByContact(service, teamId, id, act)) === 'returned') contact_ids.push(id);
    }
    await take('marketing');
  }
  return { removed: listingsIn(before), contact_ids };
}
