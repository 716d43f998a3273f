import { contract } from '../contract.ts';
import type * as responses from '../responses/contacts.ts';

export const listContactAccounts = contract<typeof responses.listContactAccounts>()({
  id: 'list-contact-accounts',
  scope: 'accounts:read',
  tag: 'Accounts',
  summary: "List a contact's accounts",
  description:
    'Returns an entry for each account that is linked to the contact. Other attributes of accounts are only used for ' +
    'targeting and personalization, and are not returned.',
  problems: ['payload_too_large'],
});
