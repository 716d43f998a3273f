import * as z from 'zod';
import type { Contact } from '../../domain/contacts/contact.ts';
import type { Item, Upsert } from '../table/database.ts';
import { targetedNoteKey } from '../table/keys.ts';
import { itemReader, storedTime } from '../table/stored-item.ts';

/** What targeting notes in the partition of a contact. */

/** A note that the contact was targeted by a template that makes no journeys, for one account if `account_id` is set. */
export type TargetedNote = { template_id: string; account_id: string | null; revision: string; at: string };

const noteItem = itemReader(
  'note of targeting',
  z.object({ template_id: z.string(), account_id: z.string().nullable(), revision: z.string(), at: storedTime }),
);
export const noteOf = (item: Item): TargetedNote => noteItem(item);

const sinceItem = itemReader('note of targeting', z.object({ contact_since: storedTime }));
/** `inserted_at` of the contact. Another one means that the contact was erased and created again since. */
export const contactSinceOf = (item: Item): string => sinceItem(item).contact_since;

type NotedContact = Pick<Contact, 'id' | 'inserted_at'>;

export const noteInsertion = (teamId: string, { id, inserted_at }: NotedContact, note: TargetedNote): Upsert => ({
  kind: 'insert',
  item: { ...targetedNoteKey(teamId, id, note), ...note, contact_since: inserted_at },
});
