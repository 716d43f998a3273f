import * as z from 'zod';
import type { Contact } from '../../lib/domain/contacts/contact.ts';
import { namesJourney, parsedContact } from '../../lib/domain/contacts/contact-record.ts';
import { shownContact, writtenContact } from '../../lib/domain/contacts/contact-responses.ts';
import { contract } from '../../lib/http/contract.ts';
import { sendsDeprecated } from '../../lib/http/deprecation.ts';
import { contactTag, isExpected } from '../../lib/http/entity-tag.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { writtenTo } from '../../lib/http/visibility.ts';
import { updateContact as update } from '../../lib/operations/contacts/update.ts';
import { startJourneys } from '../../lib/operations/journeys/start.ts';
import { contactService } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { service } from '../../lib/runtime/table.ts';

const updateContact = contract<typeof responses>()({
  id: 'update-contact',
  scope: 'contacts:write',
  furtherScopes: ({ body }) => (namesJourney(body) ? ['journeys:write'] : []),
  tag: 'Contacts',
  summary: 'Update a contact',
  description:
    'PUT and PATCH do the same: they set the fields that are sent. `unique_id` cannot be changed. With `If-Match`, ' +
    'nothing is stored if the contact has changed since you read that entity tag.',
  conditional: 'writes',
  body: parsedContact(() => []),
  isStrictLate: true,
  deprecated: sendsDeprecated,
  problems: ['precondition_failed'],
});

const responses = () => ({
  200: {
    description: 'The contact',
    schema: z.union([shownContact, writtenContact]),
    headers: { etag: 'Entity tag of the updated contact' },
  },
});

export const contracts = () => [{ ...updateContact, responses: responses() }];

export const handler = bearerEndpoint(updateContact, async ({ caller, params, body, event }) => {
  const isCurrent = (stored: number, before: Contact) => isExpected(event, contactTag(stored, before));
  const { contact, version, journeys } = await update(contactService(), caller, idParam(params, 'id'), body, isCurrent);
  await startJourneys(service(), caller.teamId, journeys);
  return reply(200, writtenTo(caller, contact), { etag: contactTag(version, contact) });
});
