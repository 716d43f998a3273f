import * as z from 'zod';
import { contactAccount } from '../../domain/contact-account.ts';
import { contract } from '../contract.ts';

export const listContactAccounts = contract({
  id: 'list-contact-accounts',
  scope: 'accounts:read',
  tag: 'Accounts',
  summary: "List a contact's accounts",
  description:
    'Returns an entry for each account that is linked to the contact. Other attributes of accounts are only used for ' +
    'targeting and personalization, and are not returned.',
  responses: {
    200: { description: 'The accounts linked to the contact, by account number', schema: z.array(contactAccount) },
  },
  problems: ['payload_too_large'],
});
