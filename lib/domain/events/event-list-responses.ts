import * as z from 'zod';
import { maxCursorLength } from '../values/cursor.ts';
import { serviceEvent } from './event.ts';

export const eventList = z
  .object({
    events: z.array(serviceEvent).describe('In the order of the feed, oldest first'),
    has_more: z.boolean().describe('True if more events follow at once'),
    next_cursor: z
      .string()
      .max(maxCursorLength)
      .describe('Always there: the value of `cursor` for the events that follow, now or later'),
  })
  .meta({ id: 'EventList', description: 'A page of the feed of events' });
export type EventList = z.output<typeof eventList>;
