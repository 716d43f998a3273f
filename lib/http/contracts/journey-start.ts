import * as z from 'zod';
import { identityErrors, parsedContact } from '../../domain/contact-record.ts';
import { journeyFields } from '../../domain/journey.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { type ErrorDetail, pointer } from '../../domain/problem.ts';
import { uuid } from '../../domain/uuid.ts';
import { contract } from '../contract.ts';
import { sendsDeprecated } from '../deprecation.ts';
import { namedContactUnless } from '../openapi/conditions.ts';
import type * as responses from '../responses/journeys.ts';

const tag = 'Journeys';

/** True if `contact` has only an `id`, and so names an existing contact. Any other contact is upserted. */
const isNamed = (record: JsonObject): boolean => Object.keys(record).length === 1 && Object.hasOwn(record, 'id');
const contactReference = z
  .strictObject({
    id: uuid('is required').describe('System id of an existing contact'),
  })
  .meta({ id: 'ContactReference', description: 'An existing contact' });
const journeyContact = z.union([
  contactReference,
  parsedContact((record) =>
    isNamed(record) ? [{ path: '/id', message: 'must be the id of a contact' }] : identityErrors(record),
  ).meta(namedContactUnless({ required: ['id'], maxProperties: 1 })),
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

export const createJourney = contract<typeof responses.createJourney>()({
  id: 'create-journey',
  scope: 'journeys:write',
  // A contact with more than an id is created or updated.
  furtherScopes: ({ body: { contact } }) => (isJsonObject(contact) && isNamed(contact) ? [] : ['contacts:write']),
  tag,
  summary: 'Start a journey for a contact',
  description:
    'Creates or updates the contact as `POST /v1/contacts` does. To use an existing contact unchanged, send only its ' +
    '`id`. There is one journey for each contact and template. If it exists, the request updates its name, owner and ' +
    'source if they are sent. The request is safe to retry.',
  body: journeyInput,
  deprecated: ({ contact }) => sendsDeprecated(contact),
});
