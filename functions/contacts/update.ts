import type { Contact } from '../../lib/domain/contacts/contact.ts';
import { updateContact } from '../../lib/http/contracts/contact-writes.ts';
import { contactTag, isExpected } from '../../lib/http/entity-tag.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { writtenTo } from '../../lib/http/visibility.ts';
import { updateContact as update } from '../../lib/operations/contacts/update.ts';
import { contactDependencies } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

export const handler = bearerEndpoint(updateContact, async ({ caller, params, body, strictErrors, event }) => {
  const isCurrent = (stored: number, before: Contact) => isExpected(event, contactTag(stored, before));
  const { contact, version } = await update(
    contactDependencies(caller, strictErrors !== undefined),
    caller.teamId,
    idParam(params, 'id'),
    body,
    isCurrent,
  );
  return reply(200, writtenTo(caller, contact), { etag: contactTag(version, contact) });
});
