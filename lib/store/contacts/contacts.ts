import * as z from 'zod';
import type { ConsentSource } from '../../domain/access/consent-source.ts';
import {
  type ConsentChange,
  consentChange,
  consentChanges,
  consentFields,
  type Verification,
  verification,
} from '../../domain/contacts/consent.ts';
import type { ContactState } from '../../domain/contacts/contact.ts';
import {
  type Contact,
  type ContactDetails,
  flagFields,
  metaFields,
  noDetails,
  textFields,
} from '../../domain/contacts/contact.ts';
import { directoryRow } from '../../domain/contacts/directory.ts';
import { type FactsChange, factsOnFile, type Writer } from '../../domain/contacts/identity-facts.ts';
import { type DeclaredLookup, lookupField, lookupSlots, lookupText } from '../../domain/contacts/lookup.ts';
import type { Completions } from '../../domain/contacts/objective.ts';
import { isJsonObject } from '../../domain/values/json.ts';
import {
  type Attributes,
  type Database,
  type Expectation,
  type Item,
  readAll,
  readOne,
  type Upsert,
  versioned,
  type Write,
} from '../table/database.ts';
import { derivedContactId } from '../table/ids.ts';
import {
  contactIdOfPartition,
  contactKey,
  directoryKey,
  earlierConsentKey,
  identityKey,
  lookupAttribute,
  lookupPartition,
} from '../table/keys.ts';
import { itemReader, jsonText, storedMetadata, storedTime, storedVersion } from '../table/stored-item.ts';
import { contactIdOf } from './identities.ts';

/** A contact, and its version as the condition of the next write. */
export type StoredContact = {
  contact: Contact;
  version: number;
  entries: LookupEntries;
  /** The call that created the contact. */
  creationId: string | undefined;
  /** The call that last updated the contact. */
  callId: string | undefined;
  former: FormerUniqueId[];
  /** The last change of what proves the identity, if it was ever set. */
  factsChange: FactsChange | undefined;
  /** When the contact left: it wants no marketing messages, whatever a caller says of its consent. */
  leftAt: string | undefined;
  /** The latest changes of the consent. Earlier ones are in items of their own. */
  consent: ConsentChange[];
  /** The links that were sent lately to verify the address. */
  verifications: Verification[];
};

const formerUniqueId = z.object({ unique_id: z.string(), until: storedTime });
/** A `unique_id` that the contact had until an administrator changed it. */
export type FormerUniqueId = z.output<typeof formerUniqueId>;

/** The contact's entries in the lookup indexes. */
type LookupEntries = { [attribute: string]: string | undefined };

const each = <Schema extends z.ZodType>(names: readonly string[], schema: Schema) =>
  Object.fromEntries(names.map((name) => [name, schema]));

const isCompletions = (value: unknown): value is Completions =>
  isJsonObject(value) && Object.values(value).every((time) => typeof time === 'string');

/** Details without a value are absent. */
const detailsData = z.object({
  ...each(textFields, z.string().optional()),
  ...each(flagFields, z.boolean().optional()),
  ...each(metaFields, storedMetadata.optional()),
  completions: z.custom<Completions>(isCompletions).default({}),
});

/**
 * A change of the consent as text, because a new contact with one should still be less than 1 KB: when, the first letter of
 * the field's own name with both values, by what, and on further lines what the page said.
 */
const consentText = ({ at, field, from, to, by, text }: ConsentChange): string =>
  `${at} ${letterOf[field]}${signOf(from)}${signOf(to)} ${by.kind} ${by.id ?? ''}${text === undefined ? '' : `\n${text}`}`;
const letterOf = { email_opted_in: 'o', email_verified: 'v' } as const satisfies Record<ConsentChange['field'], string>;
const signOf = (flag: boolean | null): string => (flag === null ? '?' : flag ? '+' : '-');
const flagOf = (sign: string | undefined): boolean | null => (sign === '?' ? null : sign === '+');

const storedConsent = z.array(
  z
    .string()
    .transform((stored): unknown => {
      const [, at, letter, from, to, kind, id, text] = /^(\S+) (.)(.)(.) (\S+) (\S*)(?:\n(.*))?$/s.exec(stored) ?? [];
      const field = consentFields.find((each) => letterOf[each] === letter);
      const by = { kind, ...(id ? { id } : {}) };
      return { at, field, from: flagOf(from), to: flagOf(to), by, ...(text === undefined ? {} : { text }) };
    })
    .pipe(consentChange),
);

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
    facts_changed_at: storedTime.optional(),
    facts_changed_by: z.string().optional(),
    left_at: storedTime.optional(),
    consent: storedConsent.default([]),
    verifications: z.array(verification).default([]),
    ...each(lookupSlots.map(lookupAttribute), z.string().optional()),
  }),
);

/** The details that callers set, as JSON text. Equal details give equal texts. */
export function serializeDetails(details: ContactDetails): string {
  const set = [...textFields, ...flagFields, ...metaFields].filter((field) => details[field] !== null);
  const completions = Object.entries(details.completions).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({
    ...Object.fromEntries(set.map((field) => [field, details[field]])),
    ...(completions.length > 0 ? { completions: Object.fromEntries(completions) } : {}),
  });
}

/**
 * True if the item at a contact's key is a contact. Otherwise it is a placeholder: its `unique_id` was given to another
 * contact, and the placeholder prevents a request with an outdated read from creating a contact there.
 */
export const isContact = (item: Item): boolean => item.moved_to === undefined;

/** What `moved_to` contains in the placeholder of an erased contact. */
export const erasedContact = 'erased';

/** The contact that is stored in this item; `undefined` for a placeholder. */
export function storedContact(item: Item): StoredContact | undefined {
  if (!isContact(item)) return undefined;
  const { pk, unique_id, inserted_at, updated_at, version, data, creation_id, call_id, former, ...others } =
    contactItem(item);
  const { facts_changed_at: at, facts_changed_by: by, left_at, consent, verifications, ...entries } = others;
  return {
    contact: { ...noDetails, ...data, id: contactIdOfPartition(pk), unique_id, inserted_at, updated_at },
    version,
    entries,
    creationId: creation_id,
    callId: call_id,
    former,
    factsChange: at === undefined || by === undefined ? undefined : { at, by },
    leftAt: left_at,
    consent,
    verifications,
  };
}

const stateItem = itemReader(
  'contact',
  z.object({
    unique_id: z.string(),
    data: z.string(),
    completions: jsonText(z.object({ completions: detailsData.shape.completions })),
    inserted_at: storedTime,
    updated_at: storedTime,
    version: storedVersion,
    left_at: storedTime.optional(),
    returned_at: storedTime.optional(),
    consent: storedConsent.optional(),
    verified_at: storedTime.optional(),
  }),
);

/** What decides whether a change of the contact is an event; `undefined` for a placeholder. */
export function contactStateOf(item: Item): ContactState | undefined {
  if (!isContact(item)) return undefined;
  const { completions, consent, ...state } = stateItem({ ...item, completions: item.data });
  const leaving = consent?.findLast(({ field, to }) => field === 'email_opted_in' && to === false);
  const left_by = leaving?.by.kind === 'link' && leaving.at === state.updated_at ? leaving.by.id : undefined;
  return { ...state, ...(left_by === undefined ? {} : { left_by }), ...completions };
}

/** The contacts with these ids, in the same order; `undefined` if there is none. */
export const loadContacts = (database: Database, teamId: string, ids: readonly string[]) => {
  const keys = ids.map((id) => contactKey(teamId, id));
  return readAll(database, keys, storedContact);
};

export const loadContact = (database: Database, teamId: string, id: string): Promise<StoredContact | undefined> =>
  readOne(database, contactKey(teamId, id), storedContact);

/** True if the contact is stored: it was not erased since it was read, also if its `unique_id` was posted again. */
export async function isStored(
  database: Database,
  teamId: string,
  { id, inserted_at }: Pick<Contact, 'id' | 'inserted_at'>,
): Promise<boolean> {
  return (await loadContact(database, teamId, id))?.contact.inserted_at === inserted_at;
}

/** The contact that a `unique_id` names: its id, and the contact itself if it exists. */
export type Resolved = { id: string; stored: StoredContact | undefined };

/**
 * The contacts that these `unique_id`s name. One round trip for each fifty values, and a second one for values that
 * were part of a rename. A value whose contact is being renamed during the read is left out: read again.
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
    // If a rename happens between the reads, the old and the new value can both appear to name the contact.
    if (isSettled && !ids.has(resolved.id)) found.set(uniqueId, resolved);
    ids.add(resolved.id);
  }
  return found;
}

/** Who changes a contact, and how. */
export type ContactWriter = {
  writer: Writer;
  /** Id of the call. If the response to the write was lost, the call reads the contact and recognizes its own write. */
  callId?: string | undefined;
  /** What changes the consent. Left out, it is the client, or the command. */
  source?: ConsentSource | undefined;
  /** What the page said that the person answered. */
  text?: string | undefined;
  /** Attributes of the contact that callers do not set. `undefined` removes one. */
  marks?: ContactMarks;
};

/** `returned_at`, `verified_at`: when the contact last took its leaving back, and verified its address with a link. */
export type ContactMarks = {
  left_at?: string | undefined;
  returned_at?: string;
  verified_at?: string;
  verifications?: readonly Verification[];
};

/**
 * The write of the contact, on the condition that the item is still as it was read, or still absent.
 * @param lookups the team's declared lookups; empty if no lookup field has changed
 */
export function writeOfContact(
  teamId: string,
  contact: Contact,
  stored: StoredContact | undefined,
  lookups: readonly DeclaredLookup[],
  { callId, marks = {}, ...by }: ContactWriter,
): Upsert {
  const { id, unique_id, inserted_at, updated_at } = contact;
  const entries = entryChanges(teamId, contact, stored?.entries ?? {}, lookups);
  const isChanged = factsOnFile(contact) !== factsOnFile(stored?.contact ?? noDetails);
  const facts = isChanged ? { facts_changed_at: updated_at, facts_changed_by: by.writer } : {};
  const consents = consentsOf(contact, stored, by);
  const kept = isFull(stored, consents) ? [] : (stored?.consent ?? []);
  const content = {
    ...{ data: serializeDetails(contact), updated_at, row: directoryRow(contact), ...entries, ...facts, ...marks },
    ...(consents.length > 0 ? { consent: [...kept, ...consents].map(consentText) } : {}),
  };
  const key = contactKey(teamId, id);
  if (stored) {
    const { version } = stored;
    const { unique_id: before } = stored.contact;
    const renamed =
      unique_id === before ? {} : { unique_id, former: [...stored.former, { unique_id: before, until: updated_at }] };
    const call = callId === undefined ? {} : { call_id: callId };
    return versioned(key, version, { ...content, ...renamed, ...call }, sameContact(stored.contact));
  }
  const first = { ...directoryKey(teamId, id, inserted_at), unique_id, inserted_at, version: 1 };
  return { kind: 'insert', item: { ...key, ...content, ...first, creation_id: callId } };
}

function consentsOf(
  contact: Contact,
  stored: StoredContact | undefined,
  { writer, source, text }: Pick<ContactWriter, 'writer' | 'source' | 'text'>,
): ConsentChange[] {
  const by = source ?? (writer === 'admin' ? { kind: 'command' as const } : { kind: 'client' as const, id: writer });
  return consentChanges(stored?.contact, contact, by, text);
}

/** So many changes of the consent are kept in the contact. More of them are moved together into an item of their own. */
const mostConsent = 40;

const isFull = (stored: StoredContact | undefined, added: readonly ConsentChange[]): boolean =>
  stored !== undefined && added.length > 0 && stored.consent.length + added.length > mostConsent;

/** The same, with the write that moves earlier changes of the consent: those are written in one transaction. */
export function writesOfContact(
  teamId: string,
  contact: Contact,
  stored: StoredContact | undefined,
  lookups: readonly DeclaredLookup[],
  by: ContactWriter,
): [Upsert, ...Upsert[]] {
  const write = writeOfContact(teamId, contact, stored, lookups, by);
  if (!stored || !isFull(stored, consentsOf(contact, stored, by))) return [write];
  const { consent, version } = stored;
  const { id, inserted_at: contact_since } = stored.contact;
  const key = earlierConsentKey(teamId, id, consent[0]!.at, version);
  return [write, { kind: 'insert', item: { ...key, consent: consent.map(consentText), contact_since } }];
}

const earlierConsentItem = itemReader('earlier consent', z.object({ consent: storedConsent }));
/** The changes of the consent in such an item. */
export const earlierConsentOf = (item: Item): ConsentChange[] => earlierConsentItem(item).consent;

/**
 * Writes contacts, each with its writes.
 * @returns for each contact true if it was written, false if its condition failed
 */
export async function writeContacts(
  database: Database,
  contacts: readonly [Upsert, ...Upsert[]][],
  options?: { onResend?(): void },
): Promise<boolean[]> {
  const single = contacts.filter(({ length }) => length === 1);
  const written =
    single.length > 0
      ? await database.write(
          single.map(([write]) => write),
          options,
        )
      : [];
  const results: boolean[] = [];
  for (const writes of contacts) {
    results.push(writes.length === 1 ? written.shift()! : await database.transact(writes));
  }
  return results;
}

/**
 * The write that adds a stored contact to the indexes of fields that were declared after it was written; `undefined` if
 * its entries are correct. It increments the version, so that a concurrent write based on the old item fails and
 * retries.
 */
export function writeOfEntries(
  teamId: string,
  { contact, version, entries }: StoredContact,
  lookups: readonly DeclaredLookup[],
): Upsert | undefined {
  const set = entryChanges(teamId, contact, entries, lookups);
  if (Object.keys(set).length === 0) return undefined;
  return versioned(contactKey(teamId, contact.id), version, set, sameContact(contact));
}

/** A contact that was created after the erasure of this one can have the same id. */
const sameContact = ({ inserted_at }: Pick<Contact, 'inserted_at'>): Expectation => ({ inserted_at });

/** For a transaction that writes something of the contact: nothing is written if the contact was erased since it was read. */
export const contactCheck = (teamId: string, contact: Pick<Contact, 'id' | 'inserted_at'>): Write => ({
  kind: 'check',
  key: contactKey(teamId, contact.id),
  expect: sameContact(contact),
});

/** For a transaction that is written only if nothing of the contact has changed since it was read. */
export const contactVersionCheck = (teamId: string, { contact, version }: StoredContact): Write => ({
  kind: 'check',
  key: contactKey(teamId, contact.id),
  expect: { ...sameContact(contact), version },
});

/** The index entries that differ from the contact's values in the declared fields; `undefined` removes an entry. */
function entryChanges(
  teamId: string,
  contact: Contact,
  entries: LookupEntries,
  lookups: readonly DeclaredLookup[],
): Attributes {
  const declared = lookups.map(({ slot, field }): [string, string | undefined] => {
    const parsed = lookupField(field);
    const text = typeof parsed === 'string' ? undefined : lookupText(contact, parsed);
    return [lookupAttribute(slot), text === undefined ? undefined : lookupPartition(teamId, field, text)];
  });
  return Object.fromEntries(declared.filter(([name, partition]) => entries[name] !== partition));
}
