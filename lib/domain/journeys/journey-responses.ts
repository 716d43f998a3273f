import * as z from 'zod';
import { shownTemplate } from '../campaigns/template.ts';
import { shownContact } from '../contacts/contact-responses.ts';
import { uuid } from '../values/uuid.ts';
import { journeyAnalytics } from './completion.ts';

const journeyShape = {
  id: uuid().describe('Journey id'),
  slug: z.string().describe('The unguessable last part of the URL of the journey'),
  source: z.string().describe('Origin of the journey'),
  template_id: uuid().describe('The campaign'),
  account_id: uuid().nullable().describe('The account that the journey is about; `null` if there is none'),
  completion_verified_at: z.iso.datetime().nullable().describe('Time at which the completion was confirmed manually'),
  cancelled_at: z.iso.datetime().nullable().describe('Time at which the journey was cancelled; its pages are gone'),
  inserted_at: z.iso.datetime().describe('Time of creation'),
  updated_at: z.iso.datetime().describe('Time of the last change'),
};

/** In the response to a write, the slug requires a scope (contract, section 2). */
const readable = (text: string) => `${text}. Only if the token has the scope \`journeys:read\``;
const writtenSlug = journeyShape.slug.optional().describe(readable('The unguessable last part of the URL'));

/** A journey in the response to a write (specification, "Journey"; contract, section 6). */
export const shownJourney = z
  .object({ ...journeyShape, slug: writtenSlug })
  .meta({ id: 'Journey', description: 'One contact’s instance of a campaign' });
export type ShownJourney = z.output<typeof shownJourney>;

export const listedJourney = z
  .object({
    ...journeyShape,
    analytics_cache: journeyAnalytics.describe('The progress of the journey'),
    contact: shownContact.describe('The contact of the journey. Includes `meta_private` if the token may read it'),
    template: shownTemplate.describe('The campaign'),
  })
  .meta({ id: 'ListedJourney', description: 'A journey with its contact, campaign and progress' });
export type ListedJourney = z.output<typeof listedJourney>;

export const startedJourney = z
  .object({
    id: journeyShape.id,
    slug: writtenSlug,
    template_id: journeyShape.template_id,
    account_id: journeyShape.account_id,
    cancelled_at: journeyShape.cancelled_at,
    web_client_url: z.url().optional().describe(readable('URL of the journey in the web client')),
  })
  .meta({ id: 'StartedJourney', description: 'A journey and its URL' });
