import { loadContacts } from '../../../../lib/store/contacts.ts';
import { uniqueIdDigest } from '../../../../lib/store/keys.ts';
import type { ErasureEntry } from '../../store/erasure-list.ts';
import { loadErasures, type PersonName } from '../../store/erasures.ts';
import type { PersonDependencies } from './names.ts';
import { batchPages, eachPayload } from './payloads.ts';

type Names = Map<ErasureEntry, PersonName[]>;

/**
 * The `unique_id`s of listed persons, as far as the table still has them: in interrupted erasures, in contacts and in
 * stored chunks. The list itself has only digests. Each value counts until the erasure.
 */
export async function listedNames(
  dependencies: PersonDependencies & { onProgress(text: string): void },
  teamId: string,
  entries: readonly ErasureEntry[],
): Promise<Names> {
  const names: Names = new Map(entries.map((entry) => [entry, []]));
  await fromErasures(dependencies, teamId, names);
  await fromContacts(dependencies, teamId, names);
  await fromPayloads(dependencies, teamId, names);
  return names;
}

/** An interrupted erasure is resumed by its first name, so its names come first. */
async function fromErasures({ database }: PersonDependencies, teamId: string, names: Names): Promise<void> {
  for (const [entry, known] of names) {
    const digests = entry.names.map(({ digest }) => digest);
    for (const { state } of await loadErasures(database, teamId, digests)) {
      if (state.contact_id === entry.contact_id) for (const name of state.names) known.push(name);
    }
  }
}

async function fromContacts({ database }: PersonDependencies, teamId: string, names: Names): Promise<void> {
  const entries = [...names.keys()];
  const ids = [...new Set(entries.map(({ contact_id }) => contact_id))];
  const contacts = new Map((await loadContacts(database, teamId, ids)).map((stored, at) => [ids[at], stored]));
  for (const entry of entries) {
    const stored = contacts.get(entry.contact_id);
    if (!stored || stored.contact.inserted_at >= entry.erased_at) continue;
    add(names, entry, { unique_id: stored.contact.unique_id, until: entry.erased_at });
    for (const former of stored.former) add(names, entry, former);
  }
}

async function fromPayloads(
  dependencies: PersonDependencies & { onProgress(text: string): void },
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
  for await (const { ids } of batchPages(dependencies.database, teamId)) {
    await eachPayload(dependencies, teamId, ids, progress, (chunk, records) => {
      for (const { link } of records) {
        const found = link && wanted.get(uniqueIdDigest(teamId, link.unique_id));
        for (const { entry, until } of found ?? []) {
          if (chunk.accepted_at < until) add(names, entry, { unique_id: link!.unique_id, until });
        }
      }
    });
    dependencies.onProgress(`${progress.chunks} chunks of ${progress.batches} batches searched`);
  }
}

function add(names: Names, entry: ErasureEntry, name: PersonName): void {
  const known = names.get(entry)!;
  if (!known.some(({ unique_id }) => unique_id === name.unique_id)) known.push(name);
}
