import { Problem } from '../../lib/domain/values/problem.ts';
import { listContactAccounts } from '../../lib/http/contracts/accounts.ts';
import { idParam } from '../../lib/http/params.ts';
import { fits, reply } from '../../lib/http/reply.ts';
import { contactAccounts } from '../../lib/operations/accounts/contact-accounts.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { productCache, runtime } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(listContactAccounts, async ({ caller, params }) => {
  const dependencies = { database: runtime().database, productCache: productCache() };
  const accounts = await contactAccounts(dependencies, caller.teamId, idParam(params, 'contact_id'));
  if (!fits(accounts)) throw new Problem('payload_too_large');
  return reply(200, accounts);
});
