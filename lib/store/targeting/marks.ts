import * as z from 'zod';
import type { Contact } from '../../domain/contacts/contact.ts';
import type { Lane } from '../../domain/waiting-work/lane.ts';
import { contactCheck } from '../contacts/contacts.ts';
import {
  chunksOf,
  type Database,
  type Item,
  pages,
  StoreUnavailable,
  type Upsert,
  type Write,
} from '../table/database.ts';
import {
  contactIdOfHeld,
  contactMarkKey,
  contactsMarkKey,
  heldContactKey,
  heldPartition,
  holdersMarkKey,
  type Key,
  laneOfMark,
  marksPartition,
  subjectOfMark,
  targetingLanes,
} from '../table/keys.ts';
import { itemReader, storedTime } from '../table/stored-item.ts';
import { together } from '../table/together.ts';
import { loadTargeting, type StoredRule, stoppedCheck } from './rules.ts';

/** A contact, or an account with its holders, that waits to be judged. */
export type MarkSubject = { contactId: string } | { accountNumber: string };

/**
 * A mark: another change of the same subject changes its token and keeps its first time. So a mark is deleted only by a
 * worker that has read what was stored at its last change or later. A mark of several contacts never changes: it has no
 * token.
 */
export type Mark = Key & { subjects: readonly MarkSubject[]; at: string; token?: string };

const markItem = itemReader('mark of targeting', z.object({ at: storedTime, token: z.string() }));
const contactsMarkItem = itemReader('mark of targeting', z.object({ at: storedTime, contacts: z.string() }));

function markOf(item: Item): Mark {
  const [{ pk, sk }, subject] = [item, subjectOfMark(item)];
  if (subject) return { pk, sk, subjects: [subject], ...markItem(item) };
  const { at, contacts } = contactsMarkItem(item);
  return { pk, sk, subjects: contacts.split(' ').map((contactId) => ({ contactId })), at };
}

/** The lanes of a team. */
export const lanesOf = (team_id: string): Lane[] =>
  Array.from({ length: targetingLanes }, (_, lane) => ({ work: 'targeting', team_id, id: String(lane) }));

const keyOfSubject = (teamId: string, subject: MarkSubject): Key =>
  'contactId' in subject ? contactMarkKey(teamId, subject.contactId) : holdersMarkKey(teamId, subject.accountNumber);

/** Two workers can delete and insert the same mark in turn. */
const mostRounds = 10;
/** Contacts of a lane from which on several are one mark, and the most of one mark. */
const fewestTogether = 20;
const mostTogether = 50;

export type Marking = {
  at: string;
  /** Returns another random text each time. */
  newToken(): string;
  /** Contacts of a lane from which on several are one mark, by default 20. */
  markTogether?: number | undefined;
};

/**
 * Marks these subjects. A mark that exists gets another token. Many contacts at once, as of an import, are marked together,
 * which costs a twentieth; one that is marked twice then is judged twice.
 * @returns the lanes that hold the marks
 * @throws StoreUnavailable
 */
export async function writeMarks(
  database: Database,
  teamId: string,
  subjects: readonly MarkSubject[],
  { at, newToken, markTogether = fewestTogether }: Marking,
): Promise<Lane[]> {
  const keyed = subjects.map((subject) => ({ subject, key: keyOfSubject(teamId, subject) }));
  const distinct = [...new Map(keyed.map((each) => [`${each.key.pk} ${each.key.sk}`, each])).values()];
  const ofLanes = Map.groupBy(distinct, ({ key }) => laneOfMark(key));
  let pending: Key[] = [];
  const groups: Upsert[] = [];
  for (const [lane, own] of ofLanes) {
    const ids = own.flatMap(({ subject }) => ('contactId' in subject ? subject.contactId : []));
    const isMany = ids.length >= markTogether;
    for (const some of isMany ? chunksOf(ids, mostTogether) : []) {
      const key = contactsMarkKey(teamId, lane, at, newToken());
      groups.push({ kind: 'insert', item: { ...key, at, contacts: some.join(' ') } });
    }
    const alone = own.filter(({ subject }) => !(isMany && 'contactId' in subject));
    pending = pending.concat(alone.map(({ key }) => key));
  }
  if (groups.length > 0) await database.write(groups);
  for (let isNew = true, round = 0; pending.length > 0; isNew = !isNew, round++) {
    if (round === mostRounds) throw new StoreUnavailable('too many conflicts on marks');
    const writes = pending.map((key): Upsert => {
      const token = newToken();
      return isNew
        ? { kind: 'insert', item: { ...key, at, token } }
        : { kind: 'update', key, set: { token }, expect: {} };
    });
    const written = await database.write(writes);
    pending = pending.filter((_, index) => !written[index]);
  }
  return [...ofLanes.keys()].map((id) => ({ work: 'targeting', team_id: teamId, id }));
}

/** The next marks of a lane, strongly consistent. */
export async function marksPage(
  database: Database,
  teamId: string,
  lane: number,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<{ marks: Mark[]; next: string | undefined }> {
  const query = { pk: marksPartition(teamId, lane), limit };
  const { items, next } = await database.query(after === undefined ? query : { ...query, after });
  return { marks: items.map(markOf), next };
}

/** The position of a contact in its lane, as the `after` of a page. */
export const markPosition = (contactId: string): string => contactMarkKey('', contactId).sk;

/** Number of marks of a lane that are looked at, and so at most their number that is known. */
export const mostCounted = 2500;

/** How many marks the lane holds, at most {@link mostCounted}, of how many subjects, and the time of the oldest of these. */
export async function countMarks(
  database: Database,
  teamId: string,
  lane: number,
): Promise<{ marks: number; waiting: number; oldest: string | undefined }> {
  const { items } = await database.query({ pk: marksPartition(teamId, lane), limit: mostCounted, eventually: true });
  const marks = items.map(markOf);
  const times = marks.map(({ at }) => at).sort();
  const waiting = marks.reduce((sum, { subjects }) => sum + subjects.length, 0);
  return { marks: marks.length, waiting, oldest: times[0] };
}

const markDeletion = ({ pk, sk, token }: Mark): Write => ({
  ...{ kind: 'delete', key: { pk, sk }, expect: token === undefined ? {} : { token } },
});

/** Deletes these marks, but not those that were changed since they were read. */
export async function endMarks(database: Database, marks: readonly Mark[]): Promise<void> {
  for (const group of chunksOf(marks, 100)) {
    if (group.length > 1 && (await database.transact(group.map(markDeletion)))) continue;
    for (const mark of group) await database.transact([markDeletion(mark)]);
  }
}

/** A contact for whom a rule holds whose brake has stopped. */
export type HeldContact = { template_id: string; contact: Pick<Contact, 'id' | 'inserted_at'> };

/** Transactions at the same time. */
const holdsAtOnce = 8;
/** Of one contact in a transaction: each is two writes, beside the check of the contact. */
const holdsOfContact = 49;

/**
 * Notes that brakes hold these contacts back. Returns those that are not noted, because the brake was resumed since it
 * was read, or the contact was erased.
 * @param rules the rules with their brakes, as they were read
 */
export async function holdContacts(
  database: Database,
  teamId: string,
  held: readonly HeldContact[],
  { rules, at }: { rules: ReadonlyMap<string, StoredRule>; at: string },
): Promise<HeldContact[]> {
  const keyOf = ({ template_id, contact }: HeldContact) => heldContactKey(teamId, template_id, contact.id);
  const stored = await database.get(held.map(keyOf));
  const missing = new Map(
    held.flatMap((each, index) => (stored[index] ? [] : [[`${each.template_id} ${each.contact.id}`, each]])),
  );
  const note = (some: readonly HeldContact[]) =>
    database.transact([
      contactCheck(teamId, some[0]!.contact),
      ...some.flatMap((each): Write[] => [
        stoppedCheck(teamId, rules.get(each.template_id)!),
        { kind: 'insert', item: { ...keyOf(each), at } },
      ]),
    ]);
  const lost: HeldContact[] = [];
  const groups = [...Map.groupBy(missing.values(), ({ contact }) => contact.id).values()];
  await together(groups, holdsAtOnce, async (group) => {
    for (const some of chunksOf(group, holdsOfContact)) {
      if (some.length > 1 && (await note(some))) continue;
      for (const one of some) if (!(await note([one]))) lost.push(one);
    }
  });
  return lost;
}

/** No campaign holds the contact back any more. Nothing holds it back later if it was erased before. */
export async function endHeldEverywhere(database: Database, teamId: string, contactId: string): Promise<void> {
  const { rules } = await loadTargeting(database, teamId);
  const keys = rules.map(({ template_id }) => heldContactKey(teamId, template_id, contactId));
  const stored = await database.get(keys);
  await endHeldAt(
    database,
    keys.filter((_, index) => stored[index]),
  );
}

/** A page of the contacts that the brake of the template holds back. `next` is the `after` of the next page. */
export async function heldPage(
  database: Database,
  teamId: string,
  templateId: string,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<{ contactIds: string[]; next: string | undefined }> {
  const query = { pk: heldPartition(teamId, templateId), limit };
  const { items, next } = await database.query(after === undefined ? query : { ...query, after });
  return { contactIds: items.map(contactIdOfHeld), next };
}

/** These contacts are no longer held back. */
export const endHeld = (database: Database, teamId: string, templateId: string, contactIds: readonly string[]) =>
  endHeldAt(
    database,
    contactIds.map((id) => heldContactKey(teamId, templateId, id)),
  );

async function endHeldAt(database: Database, keys: readonly Key[]): Promise<void> {
  const deletion = (key: Key): Write => ({ kind: 'delete', key, expect: {} });
  for (const group of chunksOf(keys, 100)) {
    if (group.length > 1 && (await database.transact(group.map(deletion)))) continue;
    for (const key of group) await database.transact([deletion(key)]);
  }
}

/** How many contacts the brake of the template holds back. */
export async function countHeld(database: Database, teamId: string, templateId: string): Promise<number> {
  let held = 0;
  for await (const items of pages(database, { pk: heldPartition(teamId, templateId), eventually: true })) {
    held += items.length;
  }
  return held;
}
