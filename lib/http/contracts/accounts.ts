import * as z from 'zod';
import { contactAccount } from '../../domain/contact-account.ts';
import { contract } from '../contract.ts';

export const listContactAccounts = contract({
  id: 'list-contact-accounts',
  scope: 'accounts:read',
  tag: 'Accounts',
  summary: "A contact's accounts",
  description:
    'An entry for each account that is linked to the contact. Other attributes of accounts serve targeting and ' +
    'personalizations alone, and are not shown.',
  responses: {
    200: { description: 'The accounts linked to the contact, by account number', schema: z.array(contactAccount) },
  },
  problems: ['payload_too_large'],
});
