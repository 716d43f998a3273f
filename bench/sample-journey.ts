import { readFileSync } from 'node:fs';
import type { LocalDescription } from '../bin/local/data-directory.ts';
import { OnboardingClient } from '../client/index.ts';

type Sample = { templates: { id: string; template_pages: { page: { id: string } }[] }[] };
const sample = JSON.parse(readFileSync(new URL('../examples/campaigns.json', import.meta.url), 'utf8')) as Sample;

export type SampleJourney = { url: string; pageIds: string[] };

/** Somebody starts the first campaign of `examples/campaigns.json`. */
export async function startSampleJourney(local: LocalDescription, uniqueId: string): Promise<SampleJourney> {
  const { base_url: baseUrl, client_id: clientId, client_secret: clientSecret } = local;
  const client = new OnboardingClient({ baseUrl, clientId, clientSecret });
  const [template] = sample.templates;
  const contact = {
    unique_id: uniqueId,
    name_first: 'Jana',
    name_last: 'Novotna',
    meta_public: { branch: { name: 'Mill Street, Cedar Valley' } },
  };
  const { web_client_url } = await client.journeys.start(template!.id, { contact });
  return { url: web_client_url, pageIds: template!.template_pages.map(({ page }) => page.id) };
}
