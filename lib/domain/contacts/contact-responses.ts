import * as z from 'zod';
import { nextCursor } from '../values/cursor.ts';
import { schemasOf } from '../values/fields.ts';
import { shownMetadata } from '../values/metadata.ts';
import { uuid } from '../values/uuid.ts';
import { detailFields } from './contact.ts';

/** Contacts in responses (specification, "Contact"). A field has the same description as in requests. */
const kinds = {
  text: z.string().nullable(),
  phone: z.string().nullable(),
  day: z.iso.date().nullable(),
  flag: z.boolean().nullable(),
  metadata: shownMetadata(),
};
const { meta_public, meta_private, ...values } = schemasOf(detailFields, kinds);

export const contactShape = {
  id: uuid().describe('System id'),
  unique_id: z.string().describe('Id of the contact in the system of the caller'),
  ...values,
  unsubscribe_email: z.boolean().nullable().meta({ deprecated: true, description: 'Inverse of `email_opted_in`' }),
  unsubscribe_sms: z.boolean().nullable().meta({ deprecated: true, description: 'Inverse of `sms_opted_in`' }),
  meta_public,
  meta_private,
  inserted_at: z.iso.datetime().describe('Time of creation'),
  updated_at: z.iso.datetime().describe('Time of the last change'),
};

/** A contact in a response. */
export const shownContact = z
  .object({ ...contactShape, meta_private: meta_private.optional() })
  .meta({ id: 'Contact', description: 'A contact with all fields. A field that is not set is `null`' });
export type ShownContact = z.output<typeof shownContact>;

/** Without `meta_private` (specification, "Rules for contacts", rule 2). */
export const createdContact = z
  .object(contactShape)
  .omit({ meta_private: true })
  .meta({ id: 'CreatedContact', description: 'A contact that this request created. It has no `meta_private`' });

/** What a write shows of a contact to a client that may not read contacts (contract, section 2). */
export const writtenContact = z
  .object(contactShape)
  .pick({ id: true, unique_id: true, inserted_at: true, updated_at: true })
  .meta({
    id: 'WrittenContact',
    description: 'A contact in the response to a write, if the token does not have the scope `contacts:read`',
  });
export type WrittenContact = z.output<typeof writtenContact>;

/** The response to a batch of contacts. */
export const contactBatch = z
  .object({
    new_contacts: z
      .array(z.union([createdContact, writtenContact]))
      .describe('The created contacts, in the order of the request'),
    existing_contacts: z
      .array(z.union([shownContact, writtenContact]))
      .describe('The contacts that existed before, in the order of the request'),
  })
  .meta({ id: 'ContactBatch', description: 'The result of a batch of contacts' });
/** A batch as an operation returns it, before the response leaves out what the client may not read. */
export type ContactBatch = { new_contacts: ShownContact[]; existing_contacts: ShownContact[] };

/** A page of `GET /v1/contacts`. */
export const contactList = z
  .object({
    contacts: z.array(shownContact).describe('The contacts of the page'),
    limit: z.int().describe('Contacts per page'),
    offset: z.int().describe('Number of contacts that were skipped'),
    has_more: z.boolean().describe('True if more contacts follow'),
    next_cursor: nextCursor(),
  })
  .meta({ id: 'ContactList', description: 'A page of contacts' });
export type ContactList = z.output<typeof contactList>;

export const contactErasure = z
  .object({
    id: uuid().describe('System id of the contact'),
    status: z.literal('erasing').describe('Always `erasing`'),
  })
  .meta({ id: 'ContactErasure', description: 'The accepted erasure of a contact' });
