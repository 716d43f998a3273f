import * as z from 'zod';
import { responseListLimits } from '../../domain/journeys/answer.ts';
import { journeyListLimits } from '../../domain/results/journey-list.ts';
import { flag } from '../../domain/values/fields.ts';
import { uuid } from '../../domain/values/uuid.ts';
import { contract } from '../contract.ts';
import { paging, timeParam } from '../params.ts';
import type * as responses from '../responses/journeys.ts';

const tag = 'Journeys';

export const listJourneys = contract<typeof responses.listJourneys>()({
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
      contact_id: uuid().optional().describe('System id of the contact'),
      template_id: uuid().optional().describe('Only journeys of this template'),
      updated_since: timeParam('Without `contact_id`: only journeys that were updated at this time or later'),
      ...paging('Without `contact_id`: journeys', journeyListLimits),
    })
    .refine(({ contact_id, template_id, cursor }) => (contact_id ?? template_id ?? cursor) !== undefined, {
      path: ['contact_id'],
      message: 'is required, unless template_id is sent',
      when: () => true,
    }),
  meaningless: ({ contact_id }) => (contact_id === undefined ? [] : ['updated_since', 'limit', 'cursor']),
  problems: ['payload_too_large'],
});

export const confirmJourney = contract<typeof responses.confirmJourney>()({
  id: 'confirm-journey',
  scope: 'journeys:write',
  tag,
  summary: 'Confirm that a journey is completed',
  description:
    '`true` sets `completion_verified_at`. A repeated confirmation keeps the first time. `false` changes nothing.',
  body: z
    .looseObject({ is_completion_confirmed: flag().describe('`true` confirms the completion') })
    .meta({ id: 'JourneyConfirmation', description: 'Confirmation of a completed journey' }),
});

export const listResponses = contract<typeof responses.listResponses>()({
  id: 'list-responses',
  scope: 'journeys:read',
  tag,
  summary: "List a journey's responses",
  description:
    'Returns the answers to agreements, signatures and surveys: the text of the block, the answer, the time, and if the ' +
    'person had proved their identity. A later answer adds an entry. Entries never change. A person has at most 50 ' +
    'answers to one block.',
  query: z.object({
    ...paging('Responses', responseListLimits),
  }),
});
