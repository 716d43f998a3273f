import * as z from 'zod';
import { eventListLimits, eventTypesParam } from '../../domain/events/event-list.ts';
import { contract } from '../contract.ts';
import { cursorParam, paging, timeParam } from '../params.ts';
import type * as responses from '../responses/campaigns.ts';

export const listEvents = contract<typeof responses.listEvents>()({
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
