import * as z from 'zod';
import { linksOf } from '../accounts/accounts.ts';
import { holderRemovals } from '../accounts/holders.ts';
import { earlierConsentOf, erasedContact, isContact, storedContact } from '../contacts/contacts.ts';
import { loadIdentityItems } from '../contacts/identities.ts';
import { loadAttempts, storedAttempts } from '../journeys/identity-checks.ts';
import { actionOf, judgedVersionIn, responseOf, storedJourney } from '../journeys/journey-items.ts';
import { dueDeletion } from '../journeys/journeys.ts';
import { storedRecord } from '../messages/records.ts';
import { weekOf } from '../messages/weeks.ts';
import { erasedAdditions } from '../results/erased-counts.ts';
import { notedCounts, notedMarkOf } from '../results/targeted.ts';
import { all, type Database, type Item, type Write } from '../table/database.ts';
import { derivedContactId } from '../table/ids.ts';
import { type ContactItemKind, contactItemKind, erasureOfKind } from '../table/item-kinds.ts';
import {
  accountNumberOfLink,
  contactIdOfPartition,
  contactKey,
  contactPartition,
  identityCheckKey,
  identityKey,
  journeyIdKey,
  journeyIdOfResponseKey,
  messageIdKey,
  partsOfJourneyKey,
  slugKey,
} from '../table/keys.ts';
import { InvalidStoredItem, itemReader, storedTime } from '../table/stored-item.ts';
import { contactSinceOf, noteOf } from '../targeting/notes.ts';

/** All items in a contact's partition, for the export and the erasure of a person. */

export type PersonItem = { kind: ContactItemKind; item: Item };

export async function loadPersonItems(database: Database, teamId: string, contactId: string): Promise<PersonItem[]> {
  const items = await all(database, { pk: contactPartition(teamId, contactId) });
  return items.map((item) => {
    const kind = contactItemKind(item);
    // Nobody knows how to erase it.
    if (!kind) throw new InvalidStoredItem('item of a contact', ['sk']);
    return { kind, item };
  });
}

/** Names the journey by its template, and by its account if it is one of several. */
const inJourney = (item: Item) => {
  const { templateId: template_id, accountId } = partsOfJourneyKey(item);
  return { template_id, ...(accountId === undefined ? {} : { account_id: accountId }) };
};
/** What an export of a person says of the items of each kind. */
const contents = {
  contacts: storedContact,
  links: (item: Item) => linksOf(item).map((link) => ({ ...link, ...linkTimes(item) })),
  journeys: storedJourney,
  actions: (item: Item) => ({ ...inJourney(item), ...actionOf(item) }),
  responses: responseOf,
  identity_attempts: (item: Item) => storedAttempts(item).attempts,
  judged: (item: Item) => ({ decisions: judgedVersionIn(item) }),
  targeted: noteOf,
  consent: earlierConsentOf,
  messages: (item: Item) => storedRecord(item).record,
  verifications: (item: Item) => storedRecord(item).record,
  message_times: (item: Item) => weekOf(item).sent,
} satisfies Record<ContactItemKind, (item: Item) => unknown>;

/** The contents of the items, by kind. */
export function personOf(items: readonly PersonItem[]) {
  const of = <Content>(kind: ContactItemKind, read: (item: Item) => Content) =>
    items.filter((each) => each.kind === kind).map(({ item }) => read(item));
  const journeys = of('journeys', contents.journeys);
  return {
    stored: of('contacts', contents.contacts)[0],
    links: of('links', contents.links).flat(),
    journeys: journeys.map(({ journey }) => journey),
    actions: of('actions', contents.actions),
    answers: of('journeys', (item) =>
      storedJourney(item).given.answers.map(({ count, ...answer }) => ({ ...inJourney(item), ...answer })),
    ).flat(),
    responses: of('responses', contents.responses),
    attempts: of('identity_attempts', contents.identity_attempts)[0],
    judged: of('judged', contents.judged)[0],
    targeted: of('targeted', contents.targeted),
    earlierConsent: of('consent', contents.consent).flat(),
    messages: of('messages', contents.messages),
    verifications: of('verifications', contents.verifications),
    messageTimes: of('message_times', contents.message_times)[0],
  };
}

const linkTimes = itemReader('link', z.object({ inserted_at: storedTime, updated_at: storedTime.optional() }));

const linkOrder = itemReader('link', z.object({ order: z.int() }));
const orderOf = (item: Item): number => linkOrder(item).order;

const journeyIdIn = itemReader('item of a journey', z.object({ journey_id: z.string() }));

/**
 * The items that belong to the erased person, and not to a contact that was created with the same id afterwards.
 * @param order chunks up to this order number were accepted before the erasure
 */
export function itemsToErase(items: readonly PersonItem[], order: number): PersonItem[] {
  const contact = items.find(({ kind, item }) => kind === 'contacts' && isContact(item));
  const since = contact && storedContact(contact.item)?.contact.inserted_at;
  const journeys = items.flatMap(({ kind, item }) => (kind === 'journeys' ? storedJourney(item) : []));
  const kept = new Set(journeys.flatMap(({ journey, contactSince }) => (contactSince === since ? journey.id : [])));
  return items.filter(({ kind, item }) => {
    const how = erasureOfKind(kind);
    if (how === 'apart') return false;
    if (how === 'ordered') return orderOf(item) <= order;
    if (how === 'with contact') return since === undefined;
    if (how === 'with contact_since') return contactSinceOf(item) !== since;
    return !kept.has(kind === 'responses' ? journeyIdOfResponseKey(item) : journeyIdIn(item).journey_id);
  });
}

/**
 * Deletes the item, and with a journey also the items of its id and its slug, and what is due of it. What it has counted
 * stays counted.
 */
export function erasureOf(teamId: string, { kind, item }: PersonItem): Write[] {
  const { pk, sk } = item;
  const key = { pk, sk };
  const how = erasureOfKind(kind);
  const since = how === 'with contact_since' ? { contact_since: contactSinceOf(item) } : {};
  const expect = how === 'ordered' ? { order: orderOf(item) } : since;
  if (kind === 'judged') {
    const { text, templateIds } = notedMarkOf(item);
    const additions = templateIds.flatMap((id) => erasedAdditions(teamId, id, notedCounts));
    return [{ kind: 'delete', key, expect: { ...expect, counted: text } }, ...additions];
  }
  if (kind === 'messages' || kind === 'verifications') {
    const pointer = messageIdKey(teamId, storedRecord(item).record.id);
    return [
      { kind: 'delete', key, expect },
      { kind: 'delete', key: pointer, expect: {} },
    ];
  }
  if (kind !== 'journeys') return [{ kind: 'delete', key, expect }];
  const { journey, counted, dueAt } = storedJourney(item);
  return [
    { kind: 'delete', key, expect: { counted: counted.text, due_at: dueAt } },
    { kind: 'delete', key: journeyIdKey(teamId, journey.id), expect: {} },
    { kind: 'delete', key: slugKey(journey.slug), expect: {} },
    ...dueDeletion(teamId, { journey, dueAt }),
    ...erasedAdditions(teamId, journey.template_id, counted.counts),
  ];
}

/** Writes of one transaction. The state of the erasure is one more of at most 100. */
const writesPerErasure = 95;

/**
 * The items in groups that one transaction erases each, with its writes. The account of a link no longer names the
 * contact.
 */
export async function erasuresOf(
  database: Database,
  teamId: string,
  items: readonly PersonItem[],
): Promise<{ items: PersonItem[]; writes: Write[] }[]> {
  const groups: { items: PersonItem[]; writes: Write[] }[] = [];
  const links = items.filter(({ kind }) => kind === 'links');
  const holders = await holderRemovals(
    database,
    teamId,
    links.map(({ item }) => ({ accountNumber: accountNumberOfLink(item), contactId: contactIdOfPartition(item.pk) })),
  );
  for (const item of items) {
    const writes = [...erasureOf(teamId, item), ...(holders[links.indexOf(item)] ?? [])];
    const last = groups.at(-1);
    // A transaction writes an item once, and journeys of one template have counted in the same items.
    const isApart = last && !sharesKey(last.writes, writes);
    if (last && isApart && last.writes.length + writes.length <= writesPerErasure) {
      last.items.push(item);
      last.writes = [...last.writes, ...writes];
    } else groups.push({ items: [item], writes });
  }
  return groups;
}

const nameOf = (write: Write): string => {
  const { pk, sk } = write.kind === 'insert' ? write.item : write.key;
  return `${pk} ${sk}`;
};

function sharesKey(some: readonly Write[], others: readonly Write[]): boolean {
  const names = new Set(some.map(nameOf));
  return others.some((write) => names.has(nameOf(write)));
}

/** A `unique_id` with its identity item, the id that it names, and the item under the derived id. */
export type UniqueIdState = {
  uniqueId: string;
  identity: { contact_id: string; moving_from?: string | undefined } | undefined;
  contactId: string;
  derivedId: string;
  /** The item at the key that the value would name without an identity item. */
  derived: Item | undefined;
};

export async function loadUniqueIdState(database: Database, teamId: string, uniqueId: string): Promise<UniqueIdState> {
  const derivedId = derivedContactId(teamId, uniqueId);
  const [identity] = await loadIdentityItems(database, teamId, [uniqueId]);
  const [derived] = await database.get([contactKey(teamId, derivedId)]);
  return { uniqueId, identity, contactId: identity?.contact_id ?? derivedId, derivedId, derived };
}

const placeholderItem = itemReader('placeholder', z.object({ moved_to: z.string() }));

/** Deletes a placeholder. @returns no write if the item is a contact, or is missing */
export function deletePlaceholder(item: Item | undefined): Write[] {
  if (!item || isContact(item)) return [];
  return [{ kind: 'delete', key: { pk: item.pk, sk: item.sk }, expect: { moved_to: placeholderItem(item).moved_to } }];
}

/** Reserves the key of an id, so that a request with an outdated read cannot create a contact there. */
export const placeholderWrite = (teamId: string, contactId: string): Write => ({
  kind: 'insert',
  item: { ...contactKey(teamId, contactId), moved_to: erasedContact },
});

/** Deletes a contact on the condition of the version that was read, or replaces it with a placeholder. */
export function eraseContact(item: Item, version: number, leavesPlaceholder: boolean): Write {
  const { pk, sk, ...attributes } = item;
  const key = { pk, sk };
  if (!leavesPlaceholder) return { kind: 'delete', key, expect: { version } };
  const emptied = Object.fromEntries(Object.keys(attributes).map((name) => [name, undefined]));
  return { kind: 'update', key, set: { ...emptied, moved_to: erasedContact }, expect: { version } };
}

/** Deletes the identity attempts of a contact, in the transaction that deletes the contact. */
export async function eraseAttempts(database: Database, teamId: string, contactId: string): Promise<Write[]> {
  const key = identityCheckKey(teamId, contactId);
  const { version } = await loadAttempts(database, teamId, contactId);
  return version === 0 ? [] : [{ kind: 'delete', key, expect: { version } }];
}

export function eraseIdentity(teamId: string, { uniqueId, identity }: UniqueIdState, freshId?: string): Write[] {
  if (!identity) return [];
  const key = identityKey(teamId, uniqueId);
  const expect = { contact_id: identity.contact_id, moving_from: undefined };
  if (freshId === undefined) return [{ kind: 'delete', key, expect }];
  return [{ kind: 'update', key, set: { contact_id: freshId }, expect }];
}
