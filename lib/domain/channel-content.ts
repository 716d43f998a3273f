import * as z from 'zod';
import type { ContentContainer, Page } from './content/page.ts';
import type { Template } from './content/template.ts';
import type { Journey } from './journey.ts';
import { closedReasonOf, publishedPages } from './journey-page.ts';

/** What one page of a journey holds for a channel. */
export type Offer<Each> = { journey: Each; page: Page; container: ContentContainer };

/**
 * What a contact's journeys hold for the channel and can show to their person, in the order in which it counts
 * (contract, section 8). A page that is hidden once it is complete is among them all the same.
 * @param templates in targeting order @param now milliseconds since the epoch
 */
export function offersOf<Each extends { journey: Journey; template: Template }>(
  journeys: readonly Each[],
  templates: readonly Template[],
  channelId: string,
  now: number,
): Offer<Each>[] {
  const order = new Map(templates.map(({ id }, place) => [id, place]));
  return journeys
    .filter(({ template, journey }) => isEngaging(template) && closedReasonOf(template, journey, now) === undefined)
    .sort((a, b) => order.get(a.template.id)! - order.get(b.template.id)!)
    .flatMap((journey) =>
      publishedPages(journey.template).flatMap(({ page }) => {
        const container = page.content_containers.find((each) => each.engagement_channel_id === channelId);
        return container && !page.exclude_from_cce ? [{ journey, page, container }] : [];
      }),
    );
}

const isEngaging = ({ status, is_muted, is_cce_enabled }: Template): boolean =>
  status === 'live' && !is_muted && is_cce_enabled === true;

/** Where the content that a reference names is shown (contract, section 10); what belongs to it lies below. */
export const contentPath = (channelId: string, reference: string): string =>
  `/c/${channelId}/${encodeURIComponent(reference)}`;

/** The response of the search for content (contract, section 8). */
export const contentReference = z
  .object({
    _type: z.literal('content_container_reference').meta({ description: 'What this describes' }),
    journey_url: z.url().nullable().meta({ description: "The contact's journey; `null` with default content" }),
    url: z.url().meta({ description: 'The content, for a browser' }),
  })
  .meta({ id: 'ContentContainerReference', description: 'Where to find the content that a channel shows' });
export type ContentReference = z.output<typeof contentReference>;
