import * as z from 'zod';
import { contactAccount } from '../../lib/domain/accounts/contact-account.ts';
import { Problem } from '../../lib/domain/values/problem.ts';
import { contract } from '../../lib/http/contract.ts';
import { idParam } from '../../lib/http/params.ts';
import { fits, reply } from '../../lib/http/reply.ts';
import { contactAccounts } from '../../lib/operations/accounts/contact-accounts.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { productCache, service } from '../../lib/runtime/table.ts';

const listContactAccounts = contract<typeof responses>()({
  id: 'list-contact-accounts',
  scope: 'accounts:read',
  tag: 'Accounts',
  summary: "List a contact's accounts",
  description:
    'Returns an entry for each account that is linked to the contact. Other attributes of accounts are only used for ' +
    'targeting and personalization, and are not returned.',
  problems: ['payload_too_large'],
});

const responses = () => ({
  200: { description: 'The accounts linked to the contact, by account number', schema: z.array(contactAccount) },
});

export const contracts = () => [{ ...listContactAccounts, responses: responses() }];

export const handler = bearerEndpoint(listContactAccounts, async ({ caller, params }) => {
  const accounts = await contactAccounts(
    { ...service(), productCache: productCache() },
    caller.teamId,
    idParam(params, 'contact_id'),
  );
  if (!fits(accounts)) throw new Problem('payload_too_large');
  return reply(200, accounts);
});
