import type { Contact } from '../../domain/contacts/contact.ts';
import { loadImportState, stateWrite } from '../imports/import-work.ts';
import type { Database, Upsert, Write } from '../table/database.ts';
import { derivedContactId } from '../table/ids.ts';
import { contactKey, identityKey } from '../table/keys.ts';
import { loadContacts, type StoredContact, writesOfContact } from './contacts.ts';
import { type Identity, loadIdentityItems } from './identities.ts';

/**
 * A `unique_id` with its identity item, if it has one, the contact id that it names, and that contact, if it exists.
 */
export type NamedContact = {
  uniqueId: string;
  identity: Identity | undefined;
  id: string;
  stored: StoredContact | undefined;
};

/**
 * The values in their order. Another rename can happen between the reads, so the result may be inconsistent;
 * `commitRename` checks all of it in its conditions.
 */
export async function loadNamedContacts(
  database: Database,
  teamId: string,
  uniqueIds: readonly string[],
): Promise<NamedContact[]> {
  const identities = await loadIdentityItems(database, teamId, uniqueIds);
  const ids = uniqueIds.map((uniqueId, index) => identities[index]?.contact_id ?? derivedContactId(teamId, uniqueId));
  const contacts = await loadContacts(database, teamId, ids);
  return uniqueIds.map((uniqueId, index) => ({
    uniqueId,
    identity: identities[index],
    id: ids[index]!,
    stored: contacts[index],
  }));
}

export type Rename = {
  /** The old value, and the contact as it was read. */
  from: NamedContact & { stored: StoredContact };
  /** The new value, which names no existing contact. */
  to: NamedContact;
  renamed: Contact;
  /** The contact id that the old value names from now on. */
  freshId: string;
};

/**
 * Renames in one transaction. It writes the contact, the identity items of both values, a placeholder at the key where
 * a contact of the new value would be created, and the team's count of renames, which makes running imports read again.
 * @returns false if one of these items has changed since it was read: read and decide again.
 */
export async function commitRename(database: Database, teamId: string, rename: Rename): Promise<boolean> {
  const { from, to, renamed, freshId } = rename;
  const state = await loadImportState(database, teamId);
  const placeholder = { ...contactKey(teamId, to.id), moved_to: from.id };
  const writes: Write[] = [
    ...writesOfContact(teamId, renamed, from.stored, [], { writer: 'admin' }),
    identityWrite(teamId, from, { contact_id: freshId }),
    identityWrite(teamId, to, { contact_id: from.id, moving_from: to.id, renamed_from: from.uniqueId }),
    { kind: 'insert', item: placeholder },
    stateWrite(teamId, state, { ...state, renames: state.renames + 1 }),
  ];
  return database.transact(writes);
}

function identityWrite(teamId: string, { uniqueId, identity }: NamedContact, next: Identity): Upsert {
  const key = identityKey(teamId, uniqueId);
  if (!identity) return { kind: 'insert', item: { ...key, ...next } };
  return { kind: 'update', key, set: next, expect: { contact_id: identity.contact_id, moving_from: undefined } };
}

/** Records that all links have been moved. A failed condition means that another call recorded it first. */
export async function endMove(database: Database, teamId: string, uniqueId: string, identity: Identity): Promise<void> {
  const { contact_id, moving_from } = identity;
  const set = { moving_from: undefined, renamed_from: undefined };
  await database.write([
    { kind: 'update', key: identityKey(teamId, uniqueId), set, expect: { contact_id, moving_from } },
  ]);
}
