import * as z from 'zod';
import { type Contact, type ContactDetails, flagFields, metaFields, noDetails, textFields } from '../domain/contact.ts';
import { directoryRow } from '../domain/directory.ts';
import { isJsonObject } from '../domain/json.ts';
import { type DeclaredLookup, lookupField, lookupSlots, lookupText } from '../domain/lookup.ts';
import type { Completions } from '../domain/objective.ts';
import type { Attributes, Database, Item, Upsert } from './database.ts';
import { contactIdOf } from './identities.ts';
import {
  contactIdOfPartition,
  contactKey,
  derivedContactId,
  directoryKey,
  identityKey,
  lookupAttribute,
  lookupPartition,
} from './keys.ts';
import { itemReader, jsonText, storedMetadata, storedTime, storedVersion } from './stored-item.ts';

/** A contact and the version that a write over it must still find. */
export type StoredContact = {
  contact: Contact;
  version: number;
  entries: LookupEntries;
  /** The call that created it; contacts of an earlier day have none. */
  creationId: string | undefined;
  /** The call that updated it last. */
  callId: string | undefined;
  former: FormerUniqueId[];
};

const formerUniqueId = z.object({ unique_id: z.string(), until: storedTime });
/** A `unique_id` that the contact had until an administrator changed it. */
export type FormerUniqueId = z.output<typeof formerUniqueId>;

/** Where the contact stands in the lookup indexes. */
type LookupEntries = { [attribute: string]: string | undefined };

const each = <Schema extends z.ZodType>(names: readonly string[], schema: Schema) =>
  Object.fromEntries(names.map((name) => [name, schema]));

const isCompletions = (value: unknown): value is Completions =>
  isJsonObject(value) && Object.values(value).every((time) => typeof time === 'string');

/** Details that are not set are absent. */
const detailsData = z.object({
  ...each(textFields, z.string().optional()),
  ...each(flagFields, z.boolean().optional()),
  ...each(metaFields, storedMetadata.optional()),
  completions: z.custom<Completions>(isCompletions).default({}),
});

const contactItem = itemReader(
  'contact',
  z.object({
    pk: z.string(),
    unique_id: z.string(),
    inserted_at: storedTime,
    updated_at: storedTime,
    version: storedVersion,
    data: jsonText(detailsData),
    creation_id: z.string().optional(),
    call_id: z.string().optional(),
    former: z.array(formerUniqueId).default([]),
    ...each(lookupSlots.map(lookupAttribute), z.string().optional()),
  }),
);

/** What callers set as one text, the same text for the same details. */
export function serializeDetails(details: ContactDetails): string {
  const set = [...textFields, ...flagFields, ...metaFields].filter((field) => details[field] !== null);
  const completions = Object.entries(details.completions).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({
    ...Object.fromEntries(set.map((field) => [field, details[field]])),
    ...(completions.length > 0 ? { completions: Object.fromEntries(completions) } : {}),
  });
}

/**
 * Whether the item in a contact's place is a contact. Else it keeps the place of a `unique_id` that was given to another
 * contact, so that nobody who still looked there can create one.
 */
export const isContact = (item: Item): boolean => item.moved_to === undefined;

/** The contact that this item is; `undefined` for one that only keeps a place. */
export function storedContact(item: Item): StoredContact | undefined {
  if (!isContact(item)) return undefined;
  const { pk, unique_id, inserted_at, updated_at, version, data, creation_id, call_id, former, ...entries } =
    contactItem(item);
  return {
    contact: { ...noDetails, ...data, id: contactIdOfPartition(pk), unique_id, inserted_at, updated_at },
    version,
    entries,
    creationId: creation_id,
    callId: call_id,
    former,
  };
}

/** The contacts with these ids, in their order; `undefined` where there is none. */
export async function loadContacts(
  database: Database,
  teamId: string,
  ids: readonly string[],
): Promise<(StoredContact | undefined)[]> {
  const items = await database.get(ids.map((id) => contactKey(teamId, id)));
  return items.map((item) => item && storedContact(item));
}

export async function loadContact(database: Database, teamId: string, id: string): Promise<StoredContact | undefined> {
  const [stored] = await loadContacts(database, teamId, [id]);
  return stored;
}

/** The contact that a `unique_id` names: its id, and the contact itself if it exists. */
export type Resolved = { id: string; stored: StoredContact | undefined };

/**
 * Who these `unique_id`s name, read in one round trip for each fifty (a second one for those that were ever renamed).
 * One whose contact was being renamed at that moment is left out: reading again tells.
 */
export async function loadByUniqueId(
  database: Database,
  teamId: string,
  uniqueIds: readonly string[],
): Promise<Map<string, Resolved>> {
  const keys = uniqueIds.flatMap((uniqueId) => [
    identityKey(teamId, uniqueId),
    contactKey(teamId, derivedContactId(teamId, uniqueId)),
  ]);
  const items = await database.get(keys);
  const named = uniqueIds.map((_, index) => contactIdOf(items[2 * index]));
  const renamed = await loadContacts(
    database,
    teamId,
    named.filter((id) => id !== undefined),
  );
  const found = new Map<string, Resolved>();
  const ids = new Set<string>();
  for (const [index, uniqueId] of uniqueIds.entries()) {
    const item = items[2 * index + 1];
    const id = named[index];
    const resolved =
      id === undefined
        ? { id: derivedContactId(teamId, uniqueId), stored: item && storedContact(item) }
        : { id, stored: renamed.shift() };
    const isSettled = !resolved.stored || resolved.stored.contact.unique_id === uniqueId;
    // The old value and the new one may both seem to name the contact, read on either side of the change.
    if (isSettled && !ids.has(resolved.id)) found.set(uniqueId, resolved);
    ids.add(resolved.id);
  }
  return found;
}

/**
 * Writes the contact over what was read; only if it is still that, or still absent.
 * @param lookups the team's declared fields; none where no such field has changed
 * @param callId of the call, kept by a contact that it creates or updates: where the response to the write was lost,
 * reading the contact tells the call that it was the one
 */
export function writeOfContact(
  teamId: string,
  contact: Contact,
  stored: StoredContact | undefined,
  lookups: readonly DeclaredLookup[],
  callId?: string,
): Upsert {
  const { id, unique_id, inserted_at, updated_at } = contact;
  const entries = entryChanges(teamId, contact, stored?.entries ?? {}, lookups);
  const content = { data: serializeDetails(contact), updated_at, row: directoryRow(contact), ...entries };
  const key = contactKey(teamId, id);
  if (stored) {
    const { version } = stored;
    const { unique_id: before } = stored.contact;
    const renamed =
      unique_id === before ? {} : { unique_id, former: [...stored.former, { unique_id: before, until: updated_at }] };
    const set = { ...content, ...renamed, version: version + 1, ...(callId === undefined ? {} : { call_id: callId }) };
    return { kind: 'update', key, set, expect: { version } };
  }
  const first = { ...directoryKey(teamId, id, inserted_at), unique_id, inserted_at, version: 1 };
  return { kind: 'insert', item: { ...key, ...content, ...first, creation_id: callId } };
}

/**
 * Enters a stored contact into the indexes, for fields that were declared since it was written; nothing where it stands
 * right. The new version makes a write that was decided on before this one decide again.
 */
export function writeOfEntries(
  teamId: string,
  { contact, version, entries }: StoredContact,
  lookups: readonly DeclaredLookup[],
): Upsert | undefined {
  const set = entryChanges(teamId, contact, entries, lookups);
  if (Object.keys(set).length === 0) return undefined;
  const key = contactKey(teamId, contact.id);
  return { kind: 'update', key, set: { ...set, version: version + 1 }, expect: { version } };
}

/** Index entries that differ from what the contact has in the declared fields; `undefined` takes one away. */
function entryChanges(
  teamId: string,
  contact: Contact,
  entries: LookupEntries,
  lookups: readonly DeclaredLookup[],
): Attributes {
  const wanted = lookups.map(({ slot, field }): [string, string | undefined] => {
    const parsed = lookupField(field);
    const text = typeof parsed === 'string' ? undefined : lookupText(contact, parsed);
    return [lookupAttribute(slot), text === undefined ? undefined : lookupPartition(teamId, field, text)];
  });
  return Object.fromEntries(wanted.filter(([name, partition]) => entries[name] !== partition));
}
