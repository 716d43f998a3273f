import { readFileSync } from 'node:fs';
import type { LocalDescription } from '../../../bin/local/description.ts';
import { OnboardingClient } from '../../../client/index.ts';

type Sample = {
  engagement_channels: { id: string }[];
  templates: { id: string; template_pages: { page: { id: string } }[] }[];
};
const sample = JSON.parse(readFileSync(new URL('../../../examples/campaigns.json', import.meta.url), 'utf8')) as Sample;

export type SampleJourney = { url: string; pageIds: string[] };

/** Starts the first campaign of `examples/campaigns.json` for a contact. */
export async function startSampleJourney(local: LocalDescription, uniqueId: string): Promise<SampleJourney> {
  const client = clientOf(local);
  const [template] = sample.templates;
  const contact = {
    unique_id: uniqueId,
    name_first: 'Jana',
    name_last: 'Novotna',
    meta_public: { branch: { name: 'Mill Street, Cedar Valley' } },
  };
  const { web_client_url } = await client.journeys.start(template!.id, { contact });
  return { url: web_client_url!, pageIds: template!.template_pages.map(({ page }) => page.id) };
}

/** The content URL of the first channel of `examples/campaigns.json` for the contact of that journey. */
export async function sampleContent(local: LocalDescription, uniqueId: string): Promise<string> {
  const { url } = await clientOf(local).channels.search(sample.engagement_channels[0]!.id, 'unique_id', uniqueId);
  return url;
}

const clientOf = ({ base_url: baseUrl, client_id: clientId, client_secret: clientSecret }: LocalDescription) =>
  new OnboardingClient({ baseUrl, clientId, clientSecret });
