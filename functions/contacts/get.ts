import { shownContact } from '../../lib/domain/contacts/contact-responses.ts';
import { shownContactOf } from '../../lib/domain/contacts/shown-contact.ts';
import { notFound } from '../../lib/domain/values/problem.ts';
import { contract } from '../../lib/http/contract.ts';
import { contactTag } from '../../lib/http/entity-tag.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { shownTo } from '../../lib/http/visibility.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { service } from '../../lib/runtime/table.ts';
import { loadContact } from '../../lib/store/contacts/contacts.ts';

const getContact = contract<typeof responses>()({
  id: 'get-contact',
  scope: 'contacts:read',
  tag: 'Contacts',
  summary: 'Get a contact',
  description: 'Returns a contact by its system id. Sees every acknowledged write.',
  conditional: 'reads',
});

const responses = () => ({ 200: { description: 'The contact', schema: shownContact } });

export const contracts = () => [{ ...getContact, responses: responses() }];

export const handler = bearerEndpoint(getContact, async ({ caller, params }) => {
  const stored = await loadContact(service().database, caller.teamId, idParam(params, 'id'));
  if (!stored) throw notFound();
  const { contact, version } = stored;
  return reply(200, shownTo(caller, shownContactOf(contact)), { etag: contactTag(version, contact) });
});
