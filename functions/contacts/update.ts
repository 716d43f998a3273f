import { updateContact } from '../../lib/http/contracts/contacts.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { shownTo } from '../../lib/http/visibility.ts';
import { updateContact as update } from '../../lib/operations/contacts/update.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { contacts } from '../../lib/runtime/table.ts';

export const handler = bearerEndpoint(updateContact, async ({ caller, params, body }) =>
  reply(200, shownTo(caller, await update(contacts(), caller.teamId, idParam(params, 'id'), body))),
);
