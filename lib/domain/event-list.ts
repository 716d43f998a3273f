import * as z from 'zod';
import { pagedList } from './cursor.ts';
import { eventTypes, isEventFilter } from './event.ts';

/** The feed of events (contract, section 12). */

export const eventListLimits = { default: 100, maximum: 1000 } as const;

/** Types of events, and the first words of types as in `journey.*`. */
export const eventFilters = [
  ...new Set(eventTypes.map((type) => `${type.slice(0, type.indexOf('.'))}.*`)),
  ...eventTypes,
] as const;

/** A repeated parameter arrives as one text, separated by commas. The order makes no difference. */
export const eventTypesParam = () =>
  z
    .string()
    .transform((text) => text.split(','))
    .refine((filters) => filters.every(isEventFilter), `must be types of events: ${eventFilters.join(', ')}`)
    .transform((filters) => [...new Set(filters)].sort().join())
    .optional()
    .meta({
      description: 'Only events of these types. Repeat the parameter for several. `journey.*` is all types of journeys',
      type: 'array',
      items: { type: 'string', enum: eventFilters },
    });

/** `type` and `since` are empty if they filter nothing. `at`: when the cursor was given, milliseconds since the epoch. */
export const eventListPages = pagedList(
  'event list',
  z.object({ type: z.string().default(''), since: z.string().default('') }),
  z.object({ seq: z.int(), index: z.int(), at: z.number() }),
);
