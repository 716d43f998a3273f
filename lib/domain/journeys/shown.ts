import { type Journey, journeyUrl } from './journey.ts';
import type { ShownJourney } from './journey-responses.ts';

export function shownJourneyOf(journey: Journey): ShownJourney & { slug: string } {
  const { id, slug, source, template_id, completion_verified_at, inserted_at, updated_at } = journey;
  return { id, slug, source, template_id, completion_verified_at, inserted_at, updated_at };
}

export const startedJourneyOf = ({ id, slug, template_id }: Journey, baseUrl: string) => ({
  id,
  slug,
  template_id,
  web_client_url: journeyUrl(baseUrl, slug),
});
