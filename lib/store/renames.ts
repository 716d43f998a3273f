import type { Contact } from '../domain/contact.ts';
import { loadContacts, type StoredContact, writeOfContact } from './contacts.ts';
import type { Database, Upsert, Write } from './database.ts';
import { type Identity, loadIdentityItems } from './identities.ts';
import { loadImportState, stateWrite } from './import-work.ts';
import { contactKey, derivedContactId, identityKey } from './keys.ts';

/** A `unique_id` as it stands: its identity item if it has one, the id that it names, and the contact there. */
export type Named = { uniqueId: string; identity: Identity | undefined; id: string; stored: StoredContact | undefined };

/** The values in their order. What was read may be torn; `commitRename` states all of it as its condition. */
export async function loadNamed(database: Database, teamId: string, uniqueIds: readonly string[]): Promise<Named[]> {
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
  /** The value that the contact leaves, and the contact as it was read. */
  from: Named & { stored: StoredContact };
  /** The value that it gets; no contact was found there. */
  to: Named;
  renamed: Contact;
  /** Whom the old value names from now on. */
  freshId: string;
};

/**
 * One transaction: the contact; whom either value names; a place holder where a contact of the new value would have
 * been created; and the team's count of renames, which tells imports at work to look again.
 * @returns false when anything of it was changed meanwhile: read and decide again.
 */
export async function commitRename(database: Database, teamId: string, rename: Rename): Promise<boolean> {
  const { from, to, renamed, freshId } = rename;
  const state = await loadImportState(database, teamId);
  const place = { ...contactKey(teamId, to.id), moved_to: from.id };
  const writes: Write[] = [
    writeOfContact(teamId, renamed, from.stored, []),
    identityWrite(teamId, from, { contact_id: freshId }),
    identityWrite(teamId, to, { contact_id: from.id, moving_from: to.id, renamed_from: from.uniqueId }),
    { kind: 'insert', item: place },
    stateWrite(teamId, state, { ...state, renames: state.renames + 1 }),
  ];
  return database.transact(writes);
}

function identityWrite(teamId: string, { uniqueId, identity }: Named, next: Identity): Upsert {
  const key = identityKey(teamId, uniqueId);
  if (!identity) return { kind: 'insert', item: { ...key, ...next } };
  return { kind: 'update', key, set: next, expect: { contact_id: identity.contact_id, moving_from: undefined } };
}

/** Notes that everything has moved along. Whoever else did so first, or went on from there, has made it true as well. */
export async function endMove(database: Database, teamId: string, uniqueId: string, identity: Identity): Promise<void> {
  const { contact_id, moving_from } = identity;
  const set = { moving_from: undefined, renamed_from: undefined };
  await database.write([
    { kind: 'update', key: identityKey(teamId, uniqueId), set, expect: { contact_id, moving_from } },
  ]);
}
