import * as z from 'zod';
import type { ContentContainer, Page } from '../campaigns/page.ts';
import type { Template } from '../campaigns/template.ts';
import { isFilledText } from '../values/json.ts';
import type { Analytics } from './completion.ts';
import type { Journey } from './journey.ts';
import { closedReasonOf, publishedPages } from './journey-page.ts';

/** The content that one page of a journey has for a channel. */
export type Offer<Each> = { journey: Each; page: Page; container: ContentContainer };

/**
 * The content for the channel in the open journeys of a contact, in order of priority (contract, section 8): of several
 * of one template, in the newest. Includes pages that are hidden when they are complete.
 * @param journeys oldest first
 * @param templates in targeting order
 * @param now milliseconds since the epoch
 */
export function offersOf<Each extends { journey: Journey; template: Template }>(
  journeys: readonly Each[],
  templates: readonly Template[],
  channelId: string,
  now: number,
): Offer<Each>[] {
  const order = new Map(templates.map(({ id }, index) => [id, index]));
  return journeys
    .filter(({ template, journey }) => isEngaging(template) && closedReasonOf(template, journey, now) === undefined)
    .filter(
      ({ journey }, index, open) => !open.slice(index + 1).some((each) => isOfSameTemplate(each.journey, journey)),
    )
    .sort((a, b) => order.get(a.template.id)! - order.get(b.template.id)!)
    .flatMap((journey) =>
      publishedPages(journey.template).flatMap(({ page }) => {
        const container = page.content_containers.find((each) => each.engagement_channel_id === channelId);
        return container && !page.exclude_from_cce ? [{ journey, page, container }] : [];
      }),
    );
}

const isOfSameTemplate = (a: Journey, b: Journey): boolean => a.template_id === b.template_id;

/** True if the channel shows the offer whatever the person has completed. */
export const isAlwaysShown = ({ page, container }: Pick<Offer<unknown>, 'page' | 'container'>): boolean =>
  container.show_until === null && !page.hide_when_complete;

/** True if the channel shows the offer (contract, section 8). */
export const isShown = (
  { page, container }: Pick<Offer<unknown>, 'page' | 'container'>,
  { is_completed, pages_completed }: Pick<Analytics, 'is_completed' | 'pages_completed'>,
): boolean =>
  container.show_until === 'journey_completed'
    ? !is_completed
    : !page.hide_when_complete || !pages_completed.includes(page.id);

/** True if the content only leads to the page: who saw it has not seen the page. */
export const isTeaser = ({ content_blocks, content }: Page, { show_until }: ContentContainer): boolean =>
  show_until === 'journey_completed' && (content_blocks.length > 0 || isFilledText(content));

const isEngaging = ({ status, is_muted, is_cce_enabled }: Template): boolean =>
  status === 'live' && !is_muted && is_cce_enabled === true;

/** Path of the content for a reference (contract, section 10). The paths of its actions begin with it. */
export const contentPath = (channelId: string, reference: string): string =>
  `/c/${channelId}/${encodeURIComponent(reference)}`;

/** The response of the search for content (contract, section 8). */
export const contentReference = z
  .object({
    _type: z.literal('content_container_reference').describe('Type of this object'),
    journey_url: z.url().nullable().describe('URL of the journey of the contact; `null` for default content'),
    url: z.url().describe('URL of the content, for a browser'),
  })
  .meta({ id: 'ContentContainerReference', description: 'The URLs of the content for a channel' });
export type ContentReference = z.output<typeof contentReference>;
