import type { ContentContainer, Page } from './content/page.ts';
import type { Template } from './content/template.ts';
import type { Journey } from './journey.ts';
import { closureOf, publishedPages } from './journey-page.ts';

/** What one page of a journey holds for a channel. */
export type Offer<Journey> = { journey: Journey; page: Page; container: ContentContainer };

/**
 * What a contact's journeys hold for the channel, in the order in which it counts (contract, section 8). A page that is
 * hidden once it is complete is among them all the same.
 * @param templates in targeting order
 */
export function offersOf<Journey extends { template: Template }>(
  journeys: readonly Journey[],
  templates: readonly Template[],
  channelId: string,
): Offer<Journey>[] {
  const order = new Map(templates.map(({ id }, place) => [id, place]));
  return journeys
    .filter(({ template }) => isEngaging(template))
    .sort((a, b) => order.get(a.template.id)! - order.get(b.template.id)!)
    .flatMap((journey) =>
      journey.template.template_pages.flatMap(({ page }) => {
        const container = page.content_containers.find((each) => each.engagement_channel_id === channelId);
        return container && !page.exclude_from_cce ? [{ journey, page, container }] : [];
      }),
    );
}

/**
 * Whether an offer can be shown to its person: the journey is open, and the page there for people.
 * @param now milliseconds since the epoch
 */
export const isShowable = (
  { journey: { journey, template }, page }: Offer<{ journey: Journey; template: Template }>,
  now: number,
): boolean =>
  closureOf(template, journey, now) === undefined && publishedPages(template).some((each) => each.page.id === page.id);

const isEngaging = ({ status, is_muted, is_cce_enabled }: Template): boolean =>
  status === 'live' && !is_muted && is_cce_enabled === true;

/** Where the content that a reference names is shown (contract, section 10); what belongs to it lies below. */
export const contentPath = (channelId: string, reference: string): string =>
  `/c/${channelId}/${encodeURIComponent(reference)}`;
