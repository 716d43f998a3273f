import { updateContact } from '../../lib/http/contracts/contacts.ts';
import { idParam } from '../../lib/http/params.ts';
import { ok } from '../../lib/http/reply.ts';
import { shownTo } from '../../lib/http/visibility.ts';
import { updateContact as update } from '../../lib/operations/contacts/update.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { contactDependencies } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(updateContact, async ({ caller, params, body }) =>
  ok(shownTo(caller, await update(contactDependencies(), caller.teamId, idParam(params, 'id'), body))),
);
