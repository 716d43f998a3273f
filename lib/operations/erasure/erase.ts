import type { Contact } from '../../domain/contacts/contact.ts';
import { Problem } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { isLinkNote, noteLinks } from '../../store/accounts/accounts.ts';
import { isContact, storedContact } from '../../store/contacts/contacts.ts';
import { payloadRewrite } from '../../store/erasure/payload-rewrites.ts';
import {
  eraseContact as contactErasure,
  deletePlaceholder,
  eraseAttempts,
  eraseIdentity,
  erasuresOf,
  itemsToErase,
  loadPersonItems,
  loadUniqueIdState,
  type PersonItem,
  placeholderWrite,
} from '../../store/erasure/person-items.ts';
import { loadBegun, loadChunkAndState, loadImportState, stateWrite } from '../../store/imports/import-work.ts';
import { loadPayload } from '../../store/imports/payloads.ts';
import { journeyKeyAt } from '../../store/journeys/journey-items.ts';
import type { Write } from '../../store/table/database.ts';
import { derivedContactId } from '../../store/table/ids.ts';
import { contactKey, linkKey, uniqueIdDigest } from '../../store/table/keys.ts';
import { endHeldEverywhere } from '../../store/targeting/marks.ts';
import { noteOf } from '../../store/targeting/notes.ts';
import { countJourneys } from '../results/count.ts';
import { countNoted } from '../results/count-noted.ts';
import { conflictRounds, lostRace, untilWritten } from '../retry.ts';
import type { EraseService, Service } from '../service.ts';
import { hashOf, journaled, suppress } from '../suppression/suppress.ts';
import { eraseFromFiles, maxNamedFiles } from './erase-files.ts';
import { type Counts, Erasure, isOther, renamed } from './erasure.ts';
import { lastOrder } from './names.ts';
import { batchPages, type ChunkHit, findInChunks, indexesOf, withoutPerson } from './payloads.ts';

/** What was deleted. */
export type Receipt = {
  erased_at: string;
  contact_id: string | null;
  /** By kind. */
  counts: Counts;
  /** Keys of dropped files that were deleted as a whole. Absent if there are none. */
  files_deleted?: readonly string[];
  /** Keys of dropped files that are no text: nobody can tell if they name the person, and they were not deleted. */
  files_unknown?: readonly string[];
};

/** Number of times, one second apart, that chunks are read until they are closed: 15 minutes. */
const maxLooks = 900;

/**
 * Erases the person with this `unique_id`. The next run resumes an interrupted one; a run that finds nothing has empty
 * counts.
 * @throws Problem `conflict` if another command runs the same erasure, or a file that names the person is still being
 *   imported
 */
export async function erasePerson(service: EraseService, teamId: string, uniqueId: string): Promise<Receipt> {
  const erasure = await Erasure.open(service, teamId, uniqueId);
  await eraseUntilRest(service, erasure);
  await untilClosed(service, [erasure]);
  return finish(service, erasure);
}

/** What was deleted of many persons. */
export type ListReceipt = Omit<Receipt, 'contact_id'> & {
  /** The number of `unique_id`s. */
  persons: number;
  /** Those of whom something was found. */
  contact_ids: readonly string[];
};

/**
 * Erases all of them. They wait together for chunks that are being imported. The next run with the same values resumes an
 * interrupted one.
 * @throws Problem `conflict` as the erasure of one person
 */
export async function erasePersons(
  service: EraseService,
  teamId: string,
  uniqueIds: readonly string[],
): Promise<ListReceipt> {
  const { onProgress, now } = service;
  const all = new Set(uniqueIds);
  const erasures: Erasure[] = [];
  for (const [at, uniqueId] of [...all].entries()) {
    onProgress(`person ${at + 1} of ${all.size}`);
    const erasure = await Erasure.open(service, teamId, uniqueId);
    await eraseUntilRest(service, erasure);
    erasures.push(erasure);
  }
  await untilClosed(service, erasures);
  const counts: Counts = {};
  const found = new Set<string>();
  const deleted = new Set<string>();
  const unknown = new Set<string>();
  for (const erasure of erasures) {
    const receipt = await finish(service, erasure);
    for (const [kind, count] of Object.entries(receipt.counts)) counts[kind] = (counts[kind] ?? 0) + count;
    if (receipt.contact_id !== null) found.add(receipt.contact_id);
    for (const key of receipt.files_deleted ?? []) deleted.add(key);
    for (const key of receipt.files_unknown ?? []) unknown.add(key);
  }
  return {
    ...{ erased_at: timestamp(now()), persons: all.size, contact_ids: [...found], counts },
    ...(deleted.size > 0 ? { files_deleted: [...deleted].slice(0, maxNamedFiles) } : {}),
    ...(unknown.size > 0 ? { files_unknown: [...unknown].slice(0, maxNamedFiles) } : {}),
  };
}

/** All steps except the last one, `finish`. */
export async function eraseUntilRest(service: EraseService, erasure: Erasure): Promise<void> {
  for (;;) {
    const { step } = erasure.state;
    if (step === 'files') {
      // Files are first, because a file that is still being imported may create the contact.
      await eraseFromFiles(service, erasure);
      await erasure.commit([], { step: 'contact', order: await orderAfterFiles(erasure) }, {});
    } else if (step === 'contact') await eraseContactItem(service, erasure);
    else if (step === 'items') {
      await sweep(erasure);
      await endHeldEverywhere(service.database, erasure.teamId, erasure.state.contact_id);
      await erasure.commit([], { step: 'payloads' }, {});
    } else if (step === 'payloads') await eraseFromPayloads(service, erasure);
    else return;
  }
}

/** The chunks of a file that was still being imported have been accepted now. */
const orderAfterFiles = async ({ service: { database }, teamId, state }: Erasure): Promise<number> =>
  state.first_erased_at === undefined ? lastOrder(database, teamId) : state.order;

/** Deletes the contact and the identity item of its `unique_id` in one transaction. */
async function eraseContactItem(service: EraseService, erasure: Erasure): Promise<void> {
  const { teamId, uniqueId } = erasure;
  const { database, now, newId } = service;
  const { contact_id: contactId } = erasure.state;
  await untilWritten(service, 'too many conflicts on the contact', async () => {
    const [item] = await database.get([contactKey(teamId, contactId)]);
    const stored = item && storedContact(item);
    const erased_at = timestamp(now());
    const isAnother = stored !== undefined && isOther(stored.contact, erasure.state);
    if (stored && !isAnother && stored.contact.unique_id !== uniqueId) {
      await erasure.end();
      throw renamed();
    }
    if (!item || !stored || isAnother) {
      return (await erasure.commit([], { step: 'items', erased_at }, {})) ? undefined : lostRace;
    }
    const named = await loadUniqueIdState(database, teamId, uniqueId);
    const attempts = await eraseAttempts(database, teamId, contactId);
    // Before the address is deleted. What erases it may fail and begin again.
    await suppressErased(service, teamId, stored.contact);
    const isDerived = contactId === named.derivedId;
    // The id that is derived from the value is that of another contact, which had the value before.
    const isTaken = !isDerived && named.derived !== undefined && isContact(named.derived);
    const writes = [
      contactErasure(item, stored.version, !isDerived),
      ...attempts,
      ...eraseIdentity(teamId, named, isTaken ? newId() : undefined),
      ...(isDerived || isTaken ? [] : deletePlaceholder(named.derived)),
      ...(named.identity ? [await renameCounted(erasure)] : []),
    ];
    const lookups = Object.values(stored.entries).filter((entry) => entry !== undefined).length;
    const counted = {
      ...{ contacts: 1, identities: named.identity ? 1 : 0, lookup_entries: lookups, directory_entries: 1 },
      identity_attempts: attempts.length,
    };
    const change = { step: 'items', erased_at, contact_since: stored.contact.inserted_at } as const;
    return (await erasure.commit(writes, change, counted)) ? undefined : lostRace;
  });
}

/** The address of an erased person is listed for marketing (contract, section 15, "Leaving"). */
async function suppressErased(
  service: EraseService,
  teamId: string,
  { id: contactId, email }: Pick<Contact, 'id' | 'email'>,
): Promise<void> {
  if (!service.suppression) return;
  const using = { ...service, ...service.suppression };
  const hash = await hashOf(using, teamId, email);
  const reason = 'erased';
  if (hash !== undefined && (await suppress(using, teamId, hash, { scope: 'marketing', reason, contactId }))) return;
  // What the contact said before is not that of another one that is created with the same id.
  await journaled(using, teamId, { change: 'added', for: 'marketing', reason, hash, contact_id: contactId });
}

/** Makes running imports look identities up again. */
async function renameCounted({ service: { database }, teamId }: Erasure): Promise<Write> {
  const state = await loadImportState(database, teamId);
  return stateWrite(teamId, state, { ...state, renames: state.renames + 1 });
}

/**
 * The ids under which links of the person can be stored: its own, the one that the value names now, and those that are
 * reserved for its values. An import that has not noticed a change of the `unique_id` can write a link there after the
 * links were moved.
 */
async function idsOf({ service: { database }, teamId, uniqueId, state }: Erasure): Promise<Set<string>> {
  const { contactId } = await loadUniqueIdState(database, teamId, uniqueId);
  const derived = state.names.map(({ unique_id }) => derivedContactId(teamId, unique_id));
  const items = await database.get(derived.map((id) => contactKey(teamId, id)));
  const reserved = derived.filter((_, index) => items[index] && !isContact(items[index]));
  return new Set([state.contact_id, contactId, ...reserved]);
}

/**
 * Deletes the items of the person in these partitions until there are none. What is written in between is found: only
 * that what a person does is written on the condition that the journey exists, and a journey on that of the contact.
 */
async function sweep(erasure: Erasure): Promise<void> {
  const { teamId, service } = erasure;
  const { database } = service;
  for (const id of await idsOf(erasure)) {
    await untilWritten(service, 'too many conflicts on items of the contact', async () => {
      for (;;) {
        const items = await countedItems(service, teamId, id, erasure.state.order);
        if (items.length === 0) return undefined;
        for (const { items: own, writes } of await erasuresOf(database, teamId, items)) {
          const counted: Counts = {};
          for (const { kind, item } of own) if (!isLinkNote(item)) counted[kind] = (counted[kind] ?? 0) + 1;
          if (!(await erasure.commit(writes, {}, counted))) return lostRace;
        }
      }
    });
  }
}

/** Deletes items of a person whom nothing in the table names, such as links that waited for the contact. */
export async function eraseItems(
  service: Service,
  teamId: string,
  { contact_id, order }: { contact_id: string; order: number },
): Promise<Counts> {
  const { database } = service;
  const counts: Counts = {};
  await untilWritten(service, 'too many conflicts on items of the contact', async () => {
    const found = await countedItems(service, teamId, contact_id, order);
    for (const { items, writes } of await erasuresOf(database, teamId, found)) {
      if (!(await database.transact(writes))) return lostRace;
      for (const { kind, item } of items) if (!isLinkNote(item)) counts[kind] = (counts[kind] ?? 0) + 1;
    }
    return undefined;
  });
  return counts;
}

/** The items to erase, after the journeys among them have counted everything: it stays in the results. */
async function countedItems(service: Service, teamId: string, contactId: string, order: number): Promise<PersonItem[]> {
  const load = async () => itemsToErase(await loadPersonItems(service.database, teamId, contactId), order);
  const items = await load();
  const journeys = items.filter(({ kind }) => kind === 'journeys').map(({ item }) => journeyKeyAt(item));
  const noted = items.flatMap(({ kind, item }) => (kind === 'targeted' ? [noteOf(item).template_id] : []));
  if (journeys.length + noted.length === 0) return items;
  await countJourneys(service, teamId, journeys);
  await countNoted(
    service,
    teamId,
    noted.map((templateId) => ({ contactId, templateId })),
  );
  return load();
}

async function eraseFromPayloads({ onProgress, erasures }: EraseService, erasure: Erasure): Promise<void> {
  const { service, teamId, state } = erasure;
  const progress = { batches: 0, chunks: 0 };
  for await (const { ids, after } of batchPages(service.database, teamId, state.after)) {
    for (const hit of await findInChunks(service, teamId, ids, state, progress)) await eraseFromChunk(erasure, hit);
    onProgress(`${progress.chunks} chunks of ${progress.batches} batches searched`);
    if (after !== undefined) await erasure.commit([], { after }, {});
  }
  await list(erasures, erasure);
  await erasure.commit([], { step: 'rest' }, {});
}

/** Adds the erasure to the list outside of the table, unless nothing was found or it is in the list. */
async function list(erasures: EraseService['erasures'], { teamId, state }: Erasure): Promise<void> {
  const { contact_id, contact_since, order, names, counts, erased_at, first_erased_at } = state;
  if (erased_at === undefined || first_erased_at !== undefined || Object.keys(counts).length === 0) return;
  const digests = names.map(({ unique_id, ...until }) => ({ digest: uniqueIdDigest(teamId, unique_id), ...until }));
  await erasures.add({ format: 1, erased_at, team_id: teamId, contact_id, contact_since, order, names: digests });
}

/** Stores the chunk's records without the person; reads and decides again if the chunk has changed. */
async function eraseFromChunk(erasure: Erasure, { chunk: listed }: ChunkHit): Promise<void> {
  const { service, state } = erasure;
  const { database, newId, now } = service;
  // Many persons who are erased at the same time can be in the same chunk.
  const attempt = async () => {
    const { chunk, state: imports } = await loadChunkAndState(database, listed);
    const records = chunk && chunk.order === listed.order ? await loadPayload(database, chunk) : undefined;
    if (!chunk || !records) return undefined;
    const indexes = indexesOf(records, chunk, state);
    if (indexes.length === 0) return undefined;
    const numbers = new Set(indexes.map((index) => records[index]!.account_number));
    const links = [...(await idsOf(erasure))].flatMap((id) =>
      [...numbers].map((number) => linkKey(erasure.teamId, id, number)),
    );
    await noteLinks(database, links, chunk.order, timestamp(now()));
    const writes = await payloadRewrite(database, { chunk, state: imports }, newId(), withoutPerson(records, indexes));
    return (await erasure.commit(writes, {}, { chunks: 1, chunk_records: indexes.length })) ? undefined : lostRace;
  };
  await untilWritten(service, 'too many conflicts on the chunk', attempt, conflictRounds);
}

/** True if anything of the person was found. */
const hasErased = ({ state }: Erasure): boolean => Object.keys(state.counts).length > 0;

/**
 * Waits until the open chunks that are begun now are closed: an attempt at them may have read its records before the
 * person was deleted from these. It is part of the erasures before their last step.
 * @throws Problem `conflict` if they are not closed in time
 */
export async function untilClosed(
  { database, wait, onProgress }: Pick<EraseService, 'database' | 'wait' | 'onProgress'>,
  erasures: readonly Erasure[],
): Promise<void> {
  const [first] = erasures.filter(hasErased);
  if (!first) return;
  const begun = new Set((await loadBegun(database, first.teamId)).map(({ order }) => order));
  for (let look = 0; begun.size > 0; look++) {
    const open = new Set((await loadBegun(database, first.teamId)).map(({ order }) => order));
    for (const order of begun.difference(open)) begun.delete(order);
    if (begun.size === 0) return;
    if (look === maxLooks) throw new Problem('conflict', [stillImported]);
    if (look === 0) onProgress('waiting until a chunk that is being imported is completed');
    await wait(1000);
  }
}

const stillImported = {
  path: '',
  message: 'a chunk that was begun before is still being imported. Run the command again when it is completed.',
};

/** The last step: deletes what attempts at chunks have written in between, and frees the former values. */
export async function finish(service: EraseService, erasure: Erasure): Promise<Receipt> {
  const { now } = service;
  const { state } = erasure;
  await sweep(erasure);
  for (const { unique_id } of state.names.slice(1)) await releaseFormer(erasure, unique_id);
  await releasePlaceholder(erasure);
  const { counts, contact_id, files_deleted, files_unknown } = erasure.state;
  await erasure.end();
  return {
    ...{ erased_at: timestamp(now()), contact_id: hasErased(erasure) ? contact_id : null, counts },
    ...(files_deleted.length > 0 ? { files_deleted } : {}),
    ...(files_unknown.length > 0 ? { files_unknown } : {}),
  };
}

/** Deletes the identity item of a former value, unless another contact has the value or links wait for the next one. */
async function releaseFormer(erasure: Erasure, uniqueId: string): Promise<void> {
  const { service, teamId, state } = erasure;
  const { database } = service;
  await untilWritten(service, 'too many conflicts on the former unique_id', async () => {
    const named = await loadUniqueIdState(database, teamId, uniqueId);
    if (!named.identity) return undefined;
    const isTaken = named.derived !== undefined && isContact(named.derived);
    const held = await loadPersonItems(database, teamId, named.contactId);
    const isPlaceholder = held.length === 1 && held[0]!.kind === 'contacts' && !isContact(held[0]!.item);
    if (isTaken || (held.length > 0 && !isPlaceholder) || named.contactId === state.contact_id) return undefined;
    const writes = [
      ...eraseIdentity(teamId, named),
      ...deletePlaceholder(named.derived),
      ...(held.length === 0 && named.contactId !== named.derivedId ? [placeholderWrite(teamId, named.contactId)] : []),
      await renameCounted(erasure),
    ];
    return (await erasure.commit(writes, {}, { identities: 1 })) ? undefined : lostRace;
  });
}

/** Deletes the placeholder of an erased contact that was renamed. */
async function releasePlaceholder(erasure: Erasure): Promise<void> {
  const { service, teamId, state } = erasure;
  const [item] = await service.database.get([contactKey(teamId, state.contact_id)]);
  const writes = deletePlaceholder(item);
  if (writes.length > 0) await erasure.commit(writes, {}, {});
}
