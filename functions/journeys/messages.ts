import * as z from 'zod';
import { shownMessage } from '../../lib/domain/messages/record.ts';
import { contract } from '../../lib/http/contract.ts';
import { idParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { listJourneyMessages } from '../../lib/operations/messages/list.ts';
import { contactService } from '../../lib/runtime/content.ts';
import { bearerEndpoint } from '../../lib/runtime/endpoints.ts';

const listMessages = contract<typeof responses>()({
  id: 'list-messages',
  scope: 'journeys:read',
  tag: 'Journeys',
  summary: "List a journey's messages",
  description:
    'Returns what became of each message of the journey that was due, and when the others are due. `reason` says why a ' +
    'message waits or was not sent. What was claimed by a worker and is not confirmed within 15 minutes is `unconfirmed`.',
});

const responses = () => ({
  200: {
    description: 'The messages, those that are due first at the beginning',
    schema: z
      .object({ messages: z.array(shownMessage).describe('By the time at which they are due') })
      .meta({ id: 'JourneyMessages', description: 'The messages of a journey' }),
  },
});

export const contracts = () => [{ ...listMessages, responses: responses() }];

export const handler = bearerEndpoint(listMessages, async ({ caller, params }) => {
  const messages = await listJourneyMessages(contactService(), caller.teamId, idParam(params, 'journey_id'));
  return reply(200, { messages });
});
