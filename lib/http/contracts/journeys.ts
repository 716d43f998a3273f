import * as z from 'zod';
import { pageActionTypes } from '../../domain/completion.ts';
import { identityErrors, parsedContact } from '../../domain/contact-record.ts';
import { flag } from '../../domain/fields.ts';
import { journeyFields } from '../../domain/journey.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { type ErrorDetail, pointer } from '../../domain/problem.ts';
import { sentAnswers, shownResponse } from '../../domain/response.ts';
import { listedJourney, shownJourney, startedJourney } from '../../domain/shown-journey.ts';
import { uuid } from '../../domain/uuid.ts';
import { contract } from '../contract.ts';
import { sendsDeprecated } from '../deprecation.ts';
import { namedContactUnless } from '../openapi/conditions.ts';

const tag = 'Journeys';

/** A contact that stands alone with its id names one that exists; anything else is upserted. */
const isNamed = (record: JsonObject): boolean => Object.keys(record).length === 1 && Object.hasOwn(record, 'id');
const contactReference = z
  .strictObject({
    id: uuid('is required').meta({ description: 'System id of a contact that exists' }),
  })
  .meta({ id: 'ContactReference', description: 'A contact that exists' });
const journeyContact = z.union([
  contactReference,
  parsedContact((record) =>
    isNamed(record) ? [{ path: '/id', message: 'must be the id of a contact' }] : identityErrors(record),
  ).meta(namedContactUnless({ required: ['id'], maxProperties: 1 })),
]);

/** Faults of the journey's own fields go along, to be reported together with those of the contact. */
const journeyInput = z
  .looseObject({
    ...journeyFields,
    contact: journeyContact.meta({ description: 'The contact to create or update, or the `id` of one that exists' }),
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
  .meta({ id: 'JourneyInput', required: ['contact'], description: 'A contact, and what its journey should be' });

export const createJourney = contract({
  id: 'create-journey',
  scope: 'journeys:write',
  // Whoever does not name a contact by its id alone creates or updates one.
  furtherScopes: ({ body: { contact } }) => (isJsonObject(contact) && isNamed(contact) ? [] : ['contacts:write']),
  tag,
  summary: 'Start a journey for a contact',
  description:
    'The contact is created or updated as by `POST /v1/contacts`, or named by `{"id": …}` alone. There is one journey ' +
    'for each contact and template: where it exists, what is sent of name, owner and source is set. Sending a request ' +
    'again is safe.',
  body: journeyInput,
  deprecated: ({ contact }) => sendsDeprecated(contact),
  responses: {
    200: { description: 'The journey that there was', schema: startedJourney },
    201: { description: 'The new journey', schema: startedJourney },
  },
});

export const listJourneys = contract({
  id: 'list-journeys',
  scope: 'journeys:read',
  tag,
  summary: "A contact's journeys",
  description:
    'With contact, campaign and analytics. The contacts carry `meta_private` for a token with `contacts:private`.',
  query: z.object({
    contact_id: uuid('is required').meta({ description: 'System id of the contact' }),
  }),
  responses: {
    200: {
      description: 'Oldest first; none for an unknown contact',
      schema: z.array(listedJourney),
    },
  },
  problems: ['payload_too_large'],
});

export const confirmJourney = contract({
  id: 'confirm-journey',
  scope: 'journeys:write',
  tag,
  summary: 'Confirm that a journey is completed',
  description: 'The first confirmation stands; `false` changes nothing.',
  body: z
    .looseObject({ is_completion_confirmed: flag().meta({ description: '`true` confirms the completion' }) })
    .meta({ id: 'JourneyConfirmation', description: 'Whether the completion is confirmed' }),
  responses: { 200: { description: 'The journey', schema: shownJourney } },
});

/** What the journey page reports. Unknown fields of a form, such as the name of its button, are let be. */
export const pageAction = z
  .looseObject({
    type: z.enum(pageActionTypes, 'must be page_viewed or page_completed').meta({ description: 'What was done' }),
    page_id: z.string('must be a string').toLowerCase().meta({ description: 'A page of the journey’s template' }),
    answers: sentAnswers().default([]).meta({
      description: 'With `page_completed`: what was answered. Where something was declined nothing completes',
    }),
    stay: z
      .unknown()
      .optional()
      .meta({ description: 'Sent with a form, it leads back to that page, not to the next one to do' }),
  })
  .meta({ id: 'PageAction', description: 'What was done on a page' });

export const listResponses = contract({
  id: 'list-responses',
  scope: 'journeys:read',
  tag,
  summary: 'What a person answered in a journey',
  description:
    'Agreements, signatures and surveys: what the block said, what was answered, when, and whether the person had ' +
    'proved to be the contact. A later answer is another entry; none is changed.',
  responses: {
    200: {
      description: 'Oldest first',
      schema: z
        .object({ responses: z.array(shownResponse).meta({ description: 'Oldest first' }) })
        .meta({ id: 'ResponseList', description: 'What was answered in a journey' }),
    },
  },
  problems: ['payload_too_large'],
});

export const recordAction = contract({
  id: 'record-action',
  tag,
  summary: 'Record what was done on a page of a journey',
  description:
    'For the journey page itself: whoever knows the slug may call it. Each type counts once a page; a later view of it ' +
    'moves `last_viewed`. Only a page that completes by `view`, `confirm` or `action` can be completed here, and only ' +
    'where the page itself would show it: what asks for a proof of identity needs the cookie of `POST /j/{slug}/identity`.',
  ownBody: { mediaTypes: ['application/json', 'application/x-www-form-urlencoded'], schema: pageAction },
  responses: {
    204: { description: 'Recorded, for JSON' },
    303: { description: 'Recorded, for a form', headers: { location: 'The journey, or with `stay` that page of it' } },
  },
  problems: [
    'invalid_request',
    'unsupported_media_type',
    'validation_failed',
    'forbidden',
    'identity_required',
    'gone',
  ],
});
