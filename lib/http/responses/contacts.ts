import * as z from 'zod';
import { contactAccount } from '../../domain/accounts/contact-account.ts';
import {
  contactBatch,
  contactErasure,
  contactList,
  createdContact,
  shownContact,
  writtenContact,
} from '../../domain/contacts/contact-responses.ts';
import { nextPage, responses } from '../contract.ts';

export const upsertContacts = responses({
  200: {
    description: 'The updated contact. For a batch: the created and the updated contacts, each in the order sent',
    schema: z.union([shownContact, contactBatch, writtenContact]),
    headers: { etag: 'Entity tag of a single contact, for `If-Match`' },
  },
  201: {
    description: 'The created contact',
    schema: z.union([createdContact, writtenContact]),
    headers: { etag: 'Entity tag, for `If-Match`' },
  },
});

export const updateContact = responses({
  200: {
    description: 'The contact',
    schema: z.union([shownContact, writtenContact]),
    headers: { etag: 'Entity tag of the updated contact' },
  },
});

export const getContact = responses({ 200: { description: 'The contact', schema: shownContact } });

export const eraseContact = responses({
  202: { description: 'The contact will be erased', schema: contactErasure },
});

export const listContacts = responses({
  200: {
    description: 'A page of contacts',
    schema: contactList,
    headers: nextPage,
  },
});

export const listContactAccounts = responses({
  200: { description: 'The accounts linked to the contact, by account number', schema: z.array(contactAccount) },
});
