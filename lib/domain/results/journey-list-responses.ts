import * as z from 'zod';
import { contactShape } from '../contacts/contact-responses.ts';
import { shownResponse } from '../journeys/answer.ts';
import { listedJourney } from '../journeys/journey-responses.ts';
import { nextCursor } from '../values/cursor.ts';
import { uuid } from '../values/uuid.ts';

/** Pages of the journeys of a template and of the responses to it (contract, section 13). */

const contactIds = z
  .object(contactShape)
  .pick({ id: true, unique_id: true })
  .meta({ id: 'ContactIds', description: 'The ids of a contact' });

export const templateJourney = listedJourney
  .extend({
    contact: contactIds.describe('The ids of the contact of the journey'),
    template: z
      .object({
        id: uuid().describe('Template id'),
        name: z.string().nullable().describe('Campaign name'),
      })
      .meta({ id: 'TemplateName', description: 'A campaign and its name' }),
  })
  .meta({ id: 'TemplateJourney', description: 'A journey with its progress and the ids of its contact' });
export type TemplateJourney = z.output<typeof templateJourney>;

const hasMore = (of: string) => z.boolean().describe(`True if more ${of} follow`);

export const journeyList = z
  .object({
    journeys: z.array(templateJourney).describe('By `updated_at`, oldest first'),
    has_more: hasMore('journeys'),
    next_cursor: nextCursor(),
  })
  .meta({ id: 'JourneyList', description: 'A page of the journeys of a template' });
export type JourneyList = z.output<typeof journeyList>;

export const templateResponse = shownResponse
  .extend({
    journey_id: uuid().describe('The journey in which it was answered'),
    contact: contactIds.describe('The ids of the person who answered'),
  })
  .meta({ id: 'TemplateResponse', description: 'The answer of a person to a block of a page of the template' });
export type TemplateResponse = z.output<typeof templateResponse>;

export const templateResponseList = z
  .object({
    responses: z.array(templateResponse).describe('Oldest first'),
    has_more: hasMore('responses'),
    next_cursor: nextCursor(),
  })
  .meta({ id: 'TemplateResponseList', description: 'A page of the responses to a template' });
