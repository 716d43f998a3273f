import * as z from 'zod';
import { pageActionTypes } from '../../domain/completion.ts';
import { identityErrors, parsedContact } from '../../domain/contact-record.ts';
import { nextCursor } from '../../domain/cursor.ts';
import { flag } from '../../domain/fields.ts';
import { journeyFields } from '../../domain/journey.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { type ErrorDetail, pointer } from '../../domain/problem.ts';
import { responseListLimits, sentAnswers, shownLanguage, shownResponse } from '../../domain/response.ts';
import { listedJourney, shownJourney, startedJourney } from '../../domain/shown-journey.ts';
import { journeyList, journeyListLimits } from '../../domain/template-list.ts';
import { uuid } from '../../domain/uuid.ts';
import { contract } from '../contract.ts';
import { sendsDeprecated } from '../deprecation.ts';
import { namedContactUnless } from '../openapi/conditions.ts';
import { cursorParam, timeParam, wholeNumber } from '../params.ts';

const tag = 'Journeys';

/** True if `contact` has only an `id`, and so names an existing contact. Any other contact is upserted. */
const isNamed = (record: JsonObject): boolean => Object.keys(record).length === 1 && Object.hasOwn(record, 'id');
const contactReference = z
  .strictObject({
    id: uuid('is required').meta({ description: 'System id of an existing contact' }),
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
    contact: journeyContact.meta({
      description: 'The contact to create or update, or only the `id` of an existing contact',
    }),
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

export const createJourney = contract({
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
  responses: {
    200: { description: 'The existing journey', schema: startedJourney },
    201: { description: 'The new journey', schema: startedJourney },
  },
});

export const listJourneys = contract({
  id: 'list-journeys',
  scope: 'journeys:read',
  tag,
  summary: 'List the journeys of a contact or of a template',
  description:
    'With `contact_id`, returns the journeys of the contact as an array, with their contact, template and progress. The ' +
    'contact has `meta_private` if the token has the scope `contacts:private`. With `template_id` alone, returns a page ' +
    'of all journeys of the template, by `updated_at`: read the next one with `next_cursor` as `cursor`. Each page ' +
    'costs the same. A journey that changes in the meantime is listed again with its new `updated_at`. This list can be ' +
    'behind changes by some seconds, so let `updated_since` overlap with what you have read.',
  query: z
    .object({
      contact_id: uuid().optional().meta({ description: 'System id of the contact' }),
      template_id: uuid().optional().meta({ description: 'Only journeys of this template' }),
      updated_since: timeParam('Without `contact_id`: only journeys that were updated at this time or later'),
      limit: wholeNumber({ description: 'Without `contact_id`: journeys per page', minimum: 1, ...journeyListLimits }),
      cursor: cursorParam(),
    })
    .refine(({ contact_id, template_id, cursor }) => (contact_id ?? template_id ?? cursor) !== undefined, {
      path: ['contact_id'],
      message: 'is required, unless template_id is sent',
      when: () => true,
    }),
  isValidatedLate: true,
  responses: {
    200: {
      description: 'The journeys of the contact, oldest first, or a page of the journeys of the template',
      schema: z.union([z.array(listedJourney), journeyList]),
      headers: { link: 'URL of the next page with `rel="next"` (RFC 8288). Absent on the last page.' },
    },
  },
  problems: ['payload_too_large'],
});

export const confirmJourney = contract({
  id: 'confirm-journey',
  scope: 'journeys:write',
  tag,
  summary: 'Confirm that a journey is completed',
  description:
    '`true` sets `completion_verified_at`. A repeated confirmation keeps the first time. `false` changes nothing.',
  body: z
    .looseObject({ is_completion_confirmed: flag().meta({ description: '`true` confirms the completion' }) })
    .meta({ id: 'JourneyConfirmation', description: 'Confirmation of a completed journey' }),
  responses: { 200: { description: 'The journey', schema: shownJourney } },
});

/** An action that the journey page reports. Unknown fields of a form, such as the name of its button, are ignored. */
export const pageAction = z
  .looseObject({
    type: z.enum(pageActionTypes, 'must be page_viewed or page_completed').meta({ description: 'Type of the action' }),
    page_id: z.string('must be a string').toLowerCase().meta({ description: 'A page of the journey’s template' }),
    answers: sentAnswers().default([]).meta({
      description: 'With `page_completed`: the answers. If one declines, the page is not completed',
    }),
    language: shownLanguage(),
    stay: z.unknown().optional().meta({
      description: 'For a form: with any value, the redirect leads back to this page instead of the next one',
    }),
  })
  .meta({ id: 'PageAction', description: 'An action on a page' });

export const listResponses = contract({
  id: 'list-responses',
  scope: 'journeys:read',
  tag,
  summary: "List a journey's responses",
  description:
    'Returns the answers to agreements, signatures and surveys: the text of the block, the answer, the time, and if the ' +
    'person had proved their identity. A later answer adds an entry. Entries never change. A person has at most 50 ' +
    'answers to one block.',
  query: z.object({
    limit: wholeNumber({ description: 'Responses per page', minimum: 1, ...responseListLimits }),
    cursor: cursorParam(),
  }),
  responses: {
    200: {
      description: 'A page of the responses, oldest first',
      schema: z
        .object({
          responses: z.array(shownResponse).meta({ description: 'Oldest first' }),
          has_more: z.boolean().meta({ description: 'True if more responses follow' }),
          next_cursor: nextCursor(),
        })
        .meta({ id: 'ResponseList', description: 'A page of the responses of a journey' }),
      headers: { link: 'URL of the next page with `rel="next"` (RFC 8288). Absent on the last page.' },
    },
  },
});

export const recordAction = contract({
  id: 'record-action',
  tag,
  summary: 'Record an action on a page of a journey',
  description:
    'Called by the journey page itself. Anyone who knows the slug can call it. Each type counts once for each page. A ' +
    'later view only updates `last_viewed`. Only a page with the condition `view`, `confirm` or `action` can be ' +
    'completed here, and only if the journey page would show it. If the page needs a proof of identity, the request ' +
    'needs the cookie of `POST /j/{slug}/identity`. A person has at most 50 answers to one block: a further one is a 409, ' +
    'and nothing is recorded.',
  ownBody: { mediaTypes: ['application/json', 'application/x-www-form-urlencoded'], schema: pageAction },
  hasErrorPages: true,
  responses: {
    204: { description: 'The action was recorded. Sent if the request is JSON' },
    303: {
      description: 'The action was recorded. Sent if the request is a form',
      headers: { location: 'URL of the journey, or of the same page if `stay` was sent' },
    },
  },
  problems: [
    'invalid_request',
    'unsupported_media_type',
    'validation_failed',
    'forbidden',
    'identity_required',
    'conflict',
    'gone',
  ],
});
