import { readFileSync } from 'node:fs';
import type { LocalDescription } from '../bin/local/data-directory.ts';

type Sample = { templates: { id: string; template_pages: { page: { id: string } }[] }[] };
const sample = JSON.parse(readFileSync(new URL('../examples/campaigns.json', import.meta.url), 'utf8')) as Sample;

export type SampleJourney = { url: string; pageIds: string[] };

/** Somebody new starts the first campaign of `examples/campaigns.json`. */
export async function startSampleJourney(local: LocalDescription, uniqueId: string): Promise<SampleJourney> {
  const [template] = sample.templates;
  const contact = {
    unique_id: uniqueId,
    name_first: 'Jana',
    name_last: 'Novotna',
    meta_public: { branch: { name: 'Mill Street, Cedar Valley' } },
  };
  const { web_client_url } = await post<{ web_client_url: string }>(
    `${local.base_url}/v1/templates/${template!.id}/journeys`,
    { contact },
    `Bearer ${await tokenOf(local)}`,
  );
  return { url: web_client_url, pageIds: template!.template_pages.map(({ page }) => page.id) };
}

async function tokenOf({ base_url, client_id, client_secret }: LocalDescription): Promise<string> {
  const body = { grant_type: 'client_credentials', client_id, client_secret };
  return (await post<{ access_token: string }>(`${base_url}/oauth2/token`, body)).access_token;
}

async function post<Answer>(url: string, body: unknown, authorization?: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${new URL(url).pathname} answered ${answer.status}`);
  return (await answer.json()) as Answer;
}
