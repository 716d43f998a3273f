import * as z from 'zod';
import { listedJourney } from '../../lib/domain/journeys/journey-responses.ts';
import { shownMessage } from '../../lib/domain/messages/record.ts';
import { journeyListLimits, journeyListPages } from '../../lib/domain/results/journey-list.ts';
import { journeyList } from '../../lib/domain/results/journey-list-responses.ts';
import { Problem } from '../../lib/domain/values/problem.ts';
import { uuid } from '../../lib/domain/values/uuid.ts';
import { contract, nextPage } from '../../lib/http/contract.ts';
import { byRoute } from '../../lib/http/handler.ts';
import { idParam, paging, timeParam } from '../../lib/http/params.ts';
import { fits, reply } from '../../lib/http/reply.ts';
import { shownTo } from '../../lib/http/visibility.ts';
import { listJourneys as list } from '../../lib/operations/journeys/list.ts';
import { listJourneyMessages } from '../../lib/operations/messages/list.ts';
import { listTemplateJourneys } from '../../lib/operations/results/list-journeys.ts';
import { contactService, journeyService } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';
import { listEndpoint, nextPageOf } from '../../lib/runtime/lists.ts';

const listJourneys = contract<typeof responses>()({
  id: 'list-journeys',
  scope: 'journeys:read',
  tag: 'Journeys',
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

const responses = () => ({
  200: {
    description: 'The journeys of the contact, oldest first, or a page of the journeys of the template',
    schema: z.union([z.array(listedJourney), journeyList]),
    headers: nextPage,
  },
});

const listMessages = contract<typeof messageResponses>()({
  id: 'list-messages',
  scope: 'journeys:read',
  tag: 'Journeys',
  summary: "List a journey's messages",
  description:
    'Returns what became of each message of the journey that was due, and when the others are due. `reason` says why a ' +
    'message waits or was not sent. What was claimed by a worker and is not confirmed within 15 minutes is `unconfirmed`.',
});

const messageResponses = () => ({
  200: {
    description: 'The messages, those that are due first at the beginning',
    schema: z
      .object({ messages: z.array(shownMessage).describe('By the time at which they are due') })
      .meta({ id: 'JourneyMessages', description: 'The messages of a journey' }),
  },
});

export const contracts = () => [
  { ...listJourneys, responses: responses() },
  { ...listMessages, responses: messageResponses() },
];

const showJourneys = listEndpoint(listJourneys, journeyListPages, async ({ caller, query }) => {
  const service = journeyService();
  const { contact_id, ...listing } = query;
  if (contact_id === undefined) {
    const page = await listTemplateJourneys(service, caller.teamId, listing);
    return reply(200, page, nextPageOf('/v1/journeys', page.next_cursor));
  }
  const listed = await list(service, caller.teamId, contact_id);
  const journeys = listed
    .filter((journey) => (listing.template_id ?? journey.template_id) === journey.template_id)
    .map((journey) => ({ ...journey, contact: shownTo(caller, journey.contact) }));
  if (!fits(journeys)) throw new Problem('payload_too_large');
  return reply(200, journeys);
});

const showMessages = bearerEndpoint(listMessages, async ({ caller, params }) => {
  const messages = await listJourneyMessages(contactService(), caller.teamId, idParam(params, 'journey_id'));
  return reply(200, { messages });
});

export const handler = byRoute({
  'GET /v1/journeys': showJourneys,
  'GET /v1/journeys/{journey_id}/messages': showMessages,
});
