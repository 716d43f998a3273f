import * as z from 'zod';
import { knownFields } from '../../lib/domain/contacts/contact.ts';
import {
  identityErrors,
  isSettable,
  parsedContact,
  uniqueIdBesideId,
} from '../../lib/domain/contacts/contact-record.ts';
import { journeyFields, startedJourneyOf } from '../../lib/domain/journeys/journey.ts';
import { startedJourney } from '../../lib/domain/journeys/journey-responses.ts';
import { isBlank } from '../../lib/domain/values/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/domain/values/json.ts';
import { having } from '../../lib/domain/values/json-schema.ts';
import { type ErrorDetail, pointer } from '../../lib/domain/values/problem.ts';
import { uuid } from '../../lib/domain/values/uuid.ts';
import { contract } from '../../lib/http/contract.ts';
import { sendsDeprecated } from '../../lib/http/deprecation.ts';
import { namedContactUnless, present } from '../../lib/http/openapi/conditions.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { writtenJourneyTo } from '../../lib/http/visibility.ts';
import { createJourney as create } from '../../lib/operations/journeys/create.ts';
import { environment } from '../../lib/runtime/base.ts';
import { contactService } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

/**
 * True if `contact` has an `id` and no field that can be set, and so names an existing contact. Any other contact is
 * upserted.
 */
const isNamed = (record: JsonObject): boolean =>
  Object.hasOwn(record, 'id') && !Object.keys(record).some((name) => isSettable(name));

const contactReference = z
  .looseObject({
    id: uuid('is required').describe('System id of an existing contact'),
  })
  .refine((record) => isNamed(record as JsonObject))
  .transform(({ id, ...unknown }) => ({ id, unknown: unknown as JsonObject }))
  .meta({
    id: 'ContactReference',
    description: 'An existing contact. Unknown fields are ignored',
    not: { anyOf: [...knownFields].filter(isSettable).map((name) => ({ required: [name] })) },
  });

/** With its `id`, a contact also needs its own `unique_id` (contract, section 6). */
function contactErrors(record: JsonObject): ErrorDetail[] {
  if (isNamed(record)) return [{ path: '/id', message: 'must be the id of a contact' }];
  const hasId = record.id !== undefined && record.id !== null;
  return hasId && isBlank(record.unique_id) ? [uniqueIdBesideId] : identityErrors(record);
}

const journeyContact = z.union([
  contactReference,
  parsedContact(contactErrors).meta(
    namedContactUnless({ ...having('id', { not: { type: 'null' } }), not: having('unique_id', present) }),
  ),
]);

/** Errors of the journey's own fields are passed on, so that they are reported together with those of the contact. */
const journeyInput = z
  .looseObject({
    ...journeyFields,
    contact: journeyContact.describe('The contact to create or update, or only the `id` of an existing contact'),
  })
  .transform(({ contact, owner_id, name, source }) => ({
    contact,
    change: { owner_id, name, source },
    errors: [] as ErrorDetail[],
  }))
  .catch(({ error, input }) => {
    const body = input as JsonValue;
    return {
      contact: journeyContact.parse(isJsonObject(body) ? body.contact : undefined),
      change: { owner_id: undefined, name: undefined, source: undefined },
      errors: error.issues.map(({ path, message }) => ({ path: pointer(path), message })),
    };
  })
  .meta({ id: 'JourneyInput', required: ['contact'], description: 'A contact and the fields of its journey' });

const createJourney = contract<typeof responses>()({
  id: 'create-journey',
  scope: 'journeys:write',
  // A contact with more than an id is created or updated.
  furtherScopes: ({ body: { contact } }) => (isJsonObject(contact) && isNamed(contact) ? [] : ['contacts:write']),
  tag: 'Journeys',
  summary: 'Start a journey for a contact',
  description:
    'Creates or updates the contact as `POST /v1/contacts` does. To use an existing contact unchanged, send only its ' +
    '`id`, which may stand beside other fields only with its `unique_id`. There is one journey for each contact and template, or for each of its accounts if the ' +
    'template makes them so. If there is one, the request updates name, owner and source of the newest, if they are ' +
    'sent. A cancelled journey stays cancelled. The request is safe to retry.',
  body: journeyInput,
  isStrictLate: true,
  deprecated: ({ contact }) => sendsDeprecated(contact),
});

const responses = () => ({
  200: { description: 'The existing journey', schema: startedJourney },
  201: { description: 'The new journey', schema: startedJourney },
});

export const contracts = () => [{ ...createJourney, responses: responses() }];

export const handler = bearerEndpoint(createJourney, async ({ caller, params, body, strictErrors }) => {
  const request = { ...body, errors: [...body.errors, ...(strictErrors ?? [])] };
  const applied = await create(contactService(), caller, idParam(params, 'template_id'), request);
  const started = writtenJourneyTo(caller, startedJourneyOf(applied.journey, environment().ISSUER));
  return applied.created ? reply(201, started) : reply(200, started);
});
