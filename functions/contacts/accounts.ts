import { listContactAccounts } from '../../lib/http/contracts/accounts.ts';
import { idParam } from '../../lib/http/params.ts';
import { ok } from '../../lib/http/reply.ts';
import { contactAccounts } from '../../lib/operations/contact-accounts.ts';
import { catalogue, handlerFor, runtime } from '../../lib/runtime.ts';

export const handler = handlerFor(listContactAccounts, async ({ caller, params }) => {
  const dependencies = { database: runtime().database, catalogue: catalogue() };
  return ok(await contactAccounts(dependencies, caller.teamId, idParam(params, 'contact_id')));
});
