import * as z from 'zod';
import { pagedList } from '../values/cursor.ts';
import { eventTypes, isEventFilter } from './event.ts';

/** The feed of events (contract, section 12). */

export const eventListLimits = { default: 100, maximum: 1000 } as const;

/** Types of events, and the first words of types as in `journey.*`. */
export const eventFilters = [
  ...new Set(eventTypes.map((type) => `${type.slice(0, type.indexOf('.'))}.*`)),
  ...eventTypes,
] as const;

/** Which events a webhook gets. It has a name in the OpenAPI document, for the types of generated clients. */
export const eventFilter = z
  .enum(eventFilters, `must be one of ${eventFilters.join(', ')}`)
  .meta({ id: 'EventFilter', description: 'A type of events; `journey.*` is all types of journeys' });

/** A repeated parameter arrives as one text, separated by commas. The order makes no difference. */
export const eventTypesParam = () =>
  z
    .string()
    .transform((text) => text.split(','))
    .refine((filters) => filters.every(isEventFilter), `must be one of ${eventFilters.join(', ')}`)
    .transform((filters) => [...new Set(filters)].sort().join())
    .optional()
    .meta({
      description: 'Only events of these types. Repeat the parameter for several. `journey.*` is all types of journeys',
      type: 'array',
      items: { type: 'string', enum: eventFilters },
    });

/**
 * `type` is empty if it filters nothing. `at`: when the cursor was given, in milliseconds. `epoch`: of the table then,
 * see `EVENT_EPOCH`.
 */
export const eventListPages = pagedList(
  'event list',
  z.object({ type: z.string().default('') }),
  z.object({ seq: z.int(), index: z.int(), at: z.number(), epoch: z.string().default('') }),
);
