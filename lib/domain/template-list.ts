import * as z from 'zod';
import { nextCursor, type PagedList } from './cursor.ts';
import { shownResponse } from './response.ts';
import { contactShape } from './shown-contact.ts';
import { listedJourney } from './shown-journey.ts';
import { uuid } from './uuid.ts';

/** The journeys of a template and the responses to it, in pages (contract, section 13). */

export const journeyListLimits = { default: 100, maximum: 100 } as const;

const contactIds = z
  .object(contactShape)
  .pick({ id: true, unique_id: true })
  .meta({ id: 'ContactIds', description: 'The ids of a contact' });

export const templateJourney = listedJourney
  .extend({
    contact: contactIds.meta({ description: 'The ids of the contact of the journey' }),
    template: z
      .object({
        id: uuid().meta({ description: 'Template id' }),
        name: z.string().nullable().meta({ description: 'Campaign name' }),
      })
      .meta({ id: 'TemplateName', description: 'A campaign and its name' }),
  })
  .meta({ id: 'TemplateJourney', description: 'A journey with its progress and the ids of its contact' });
export type TemplateJourney = z.output<typeof templateJourney>;

const hasMore = (of: string) => z.boolean().meta({ description: `True if more ${of} follow` });

export const journeyList = z
  .object({
    journeys: z.array(templateJourney).meta({ description: 'By `updated_at`, oldest first' }),
    has_more: hasMore('journeys'),
    next_cursor: nextCursor(),
  })
  .meta({ id: 'JourneyList', description: 'A page of the journeys of a template' });
export type JourneyList = z.output<typeof journeyList>;

/** An empty time filters nothing. A position is the place in the index. */
export const journeyListPages: PagedList<{ template_id: string; updated_since: string; limit: number }, string> = {
  name: 'list of journeys of a template',
  query: z.object({ template_id: z.string(), updated_since: z.string(), limit: z.number() }),
  position: z.string(),
};

export const templateResponse = shownResponse
  .extend({
    journey_id: uuid().meta({ description: 'The journey in which it was answered' }),
    contact: contactIds.meta({ description: 'The ids of the person who answered' }),
  })
  .meta({ id: 'TemplateResponse', description: 'The answer of a person to a block of a page of the template' });
export type TemplateResponse = z.output<typeof templateResponse>;

export const templateResponseList = z
  .object({
    responses: z.array(templateResponse).meta({ description: 'Oldest first' }),
    has_more: hasMore('responses'),
    next_cursor: nextCursor(),
  })
  .meta({ id: 'TemplateResponseList', description: 'A page of the responses to a template' });

export const templateResponsePages: PagedList<{ template_id: string; since: string; limit: number }, string> = {
  name: 'list of responses to a template',
  query: z.object({ template_id: z.string(), since: z.string(), limit: z.number() }),
  position: z.string(),
};
