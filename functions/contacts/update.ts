import { updateContact } from '../../lib/http/contracts/contacts.ts';
import { idParam } from '../../lib/http/params.ts';
import { ok } from '../../lib/http/reply.ts';
import { updateContact as update } from '../../lib/operations/contacts/update.ts';
import { contacts, handlerFor } from '../../lib/runtime.ts';

export const handler = handlerFor(updateContact, async ({ caller, params, body }) =>
  ok(await update(contacts(), caller.teamId, idParam(params, 'id'), body)),
);
