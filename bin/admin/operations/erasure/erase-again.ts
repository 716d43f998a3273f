import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import { eraseItems, eraseUntilRest, finish, untilClosed } from '../../../../lib/operations/erasure/erase.ts';
import { type Counts, Erasure } from '../../../../lib/operations/erasure/erasure.ts';
import { lastOrder } from '../../../../lib/operations/erasure/names.ts';
import { batchPages, eachPayload } from '../../../../lib/operations/erasure/payloads.ts';
import type { EraseService, Service } from '../../../../lib/operations/service.ts';
import { loadContacts } from '../../../../lib/store/contacts/contacts.ts';
import type { ErasureEntry } from '../../../../lib/store/erasure/erasure-list.ts';
import { loadErasures, type PersonName } from '../../../../lib/store/erasure/erasures.ts';
import { uniqueIdDigest } from '../../../../lib/store/table/keys.ts';

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
 * with the same id that was created again is kept. If a run was interrupted, the next one resumes it.
 */
export async function eraseAgain(service: EraseService, entries: readonly ErasureEntry[]): Promise<RepeatedErasure[]> {
  const repeated: RepeatedErasure[] = [];
  for (const [teamId, ofTeam] of Map.groupBy(entries, ({ team_id }) => team_id)) {
    service.onProgress(`team ${teamId}: ${ofTeam.length} erasures in the list`);
    for (const erasure of await eraseInTeam(service, teamId, ofTeam)) repeated.push(erasure);
  }
  return repeated.filter(({ counts }) => Object.keys(counts).length > 0);
}

/** The other steps of all erasures are first, so that they wait together for chunks that are being imported. */
async function eraseInTeam(
  service: EraseService,
  teamId: string,
  entries: readonly ErasureEntry[],
): Promise<RepeatedErasure[]> {
  const { database, now } = service;
  const names = await listedNames(service, teamId, entries);
  const last = await lastOrder(database, teamId);
  const erasures: Erasure[] = [];
  const lastSteps: (() => Promise<RepeatedErasure>)[] = [];
  for (const entry of entries) {
    const { team_id, contact_id, contact_since, erased_at: first_erased_at } = entry;
    const own = { contact_id, contact_since, names: names.get(entry)! };
    const first = { ...own, order: Math.min(entry.order, last), first_erased_at };
    const ids = { team_id, contact_id, first_erased_at };
    const [name] = first.names;
    if (name) {
      const erasure = await Erasure.open(service, teamId, name.unique_id, first);
      await eraseUntilRest(service, erasure);
      erasures.push(erasure);
      lastSteps.push(async () => {
        const { erased_at, counts } = await finish(service, erasure);
        return { ...ids, erased_at, counts };
      });
    } else {
      const counts = await eraseItems(service, teamId, first);
      lastSteps.push(async () => ({ ...ids, erased_at: timestamp(now()), counts }));
    }
  }
  await untilClosed(service, erasures);
  const repeated: RepeatedErasure[] = [];
  for (const step of lastSteps) repeated.push(await step());
  return repeated;
}

type Names = Map<ErasureEntry, PersonName[]>;

/**
 * The `unique_id`s of listed persons, as far as the table still has them: in interrupted erasures, in contacts and in
 * stored chunks. The list itself has only digests. Each value counts until the erasure.
 */
async function listedNames(
  service: Service & { onProgress(text: string): void },
  teamId: string,
  entries: readonly ErasureEntry[],
): Promise<Names> {
  const names: Names = new Map(entries.map((entry) => [entry, []]));
  await fromErasures(service, teamId, names);
  await fromContacts(service, teamId, names);
  await fromPayloads(service, teamId, names);
  return names;
}

/** An interrupted erasure is resumed by its first name, so its names come first. */
async function fromErasures({ database }: Service, teamId: string, names: Names): Promise<void> {
  for (const [entry, known] of names) {
    const digests = entry.names.map(({ digest }) => digest);
    for (const { state } of await loadErasures(database, teamId, digests)) {
      if (state.contact_id === entry.contact_id) for (const name of state.names) known.push(name);
    }
  }
}

async function fromContacts({ database }: Service, teamId: string, names: Names): Promise<void> {
  const entries = [...names.keys()];
  const ids = [...new Set(entries.map(({ contact_id }) => contact_id))];
  const contacts = new Map((await loadContacts(database, teamId, ids)).map((stored, at) => [ids[at], stored]));
  for (const entry of entries) {
    const stored = contacts.get(entry.contact_id);
    if (!stored || stored.contact.inserted_at !== entry.contact_since) continue;
    add(names, entry, { unique_id: stored.contact.unique_id, until: entry.erased_at });
    for (const former of stored.former) add(names, entry, former);
  }
}

async function fromPayloads(
  service: Service & { onProgress(text: string): void },
  teamId: string,
  names: Names,
): Promise<void> {
  const wanted = new Map<string, { entry: ErasureEntry; until: string }[]>();
  for (const entry of names.keys()) {
    for (const { digest, until = entry.erased_at } of entry.names) {
      wanted.set(digest, [...(wanted.get(digest) ?? []), { entry, until }]);
    }
  }
  const progress = { batches: 0, chunks: 0 };
  for await (const { ids } of batchPages(service.database, teamId)) {
    await eachPayload(service, teamId, ids, progress, (chunk, records) => {
      for (const { link } of records) {
        const found = link && wanted.get(uniqueIdDigest(teamId, link.unique_id));
        for (const { entry, until } of found ?? []) {
          if (chunk.accepted_at < until) add(names, entry, { unique_id: link!.unique_id, until });
        }
      }
    });
    service.onProgress(`${progress.chunks} chunks of ${progress.batches} batches searched`);
  }
}

function add(names: Names, entry: ErasureEntry, name: PersonName): void {
  const known = names.get(entry)!;
  if (!known.some(({ unique_id }) => unique_id === name.unique_id)) known.push(name);
}
