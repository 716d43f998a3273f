import * as z from 'zod';
import { eventListLimits, eventListPages, eventTypesParam } from '../../lib/domain/events/event-list.ts';
import { eventList } from '../../lib/domain/events/event-list-responses.ts';
import { contract } from '../../lib/http/contract.ts';
import { cursorParam, paging, timeParam } from '../../lib/http/params.ts';
import { reply } from '../../lib/http/reply.ts';
import { listEvents as list } from '../../lib/operations/events/list-events.ts';
import { listEndpoint } from '../../lib/runtime/lists.ts';
import { service } from '../../lib/runtime/table.ts';

const listEvents = contract<typeof responses>()({
  id: 'list-events',
  scope: 'events:read',
  tag: 'Events',
  summary: 'Read the events of the team',
  description:
    'Returns the events from the oldest that is kept or, with `since`, from that time on. Every response has ' +
    '`next_cursor`. Keep it and send it as `cursor` to read on, at once while `has_more` is true and otherwise after a ' +
    'while: no event is skipped. Events appear within 10 seconds. They are kept for 30 days unless the institution has ' +
    'chosen another time; 410 if the cursor is older, or from before a restore of the table.',
  query: z.object({
    type: eventTypesParam(),
    since: timeParam('Only events that were published at this time or later. Without effect beside `cursor`'),
    ...paging('Events', eventListLimits),
    cursor: cursorParam().describe(
      '`next_cursor` of an earlier response, with the same `type`, or without for all types',
    ),
  }),
  problems: ['gone'],
});

const responses = () => ({ 200: { description: 'A page of events', schema: eventList } });

export const contracts = () => [{ ...listEvents, responses: responses() }];

export const handler = listEndpoint(listEvents, eventListPages, async ({ caller, query }) =>
  reply(200, await list(service(), caller.teamId, query)),
);
