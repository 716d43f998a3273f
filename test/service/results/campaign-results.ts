import { putContent } from '../../support/operations/content.ts';
import type { TestService, TestTeam } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

/** A campaign in two languages with a page to view, a consent and a survey, and requests to its results. */
export async function resultsCampaign(api: TestService, team: TestTeam) {
  const templateId = crypto.randomUUID();
  const pages = { view: crypto.randomUUID(), consent: crypto.randomUUID(), survey: crypto.randomUUID() };
  const blocks = { consent: crypto.randomUUID(), survey: crypto.randomUUID() };
  const questions = [{ text: 'How?', key: 'how', options: ['Well', { text: 'Badly', key: 'bad' }] }, 'Why?'];
  const data = { agreementText: 'I agree', disagreeText: 'No' };
  const template = {
    ...{ id: templateId, name: 'Results', language: 'en' },
    translations: { es: { 'How?': '¿Cómo?', Well: 'Bien', Badly: 'Mal', 'Why?': '¿Por qué?' } },
    template_pages: [
      { order: 1, page: { id: pages.view, content_name: 'Welcome', completion_condition: 'view' } },
      {
        order: 2,
        page: {
          ...{ id: pages.consent, content_name: 'Consent', completion_condition: 'confirm' },
          content_blocks: [{ id: blocks.consent, type: 'agreement', data }],
        },
      },
      {
        order: 3,
        page: {
          ...{ id: pages.survey, content_name: 'Survey', completion_condition: 'confirm' },
          content_blocks: [{ id: blocks.survey, type: 'survey', data: { questions } }],
        },
      },
    ],
  };
  const put = (changes: object = {}) =>
    putContent(api.database, team.teamId, { templates: [{ ...template, ...changes }] });
  await put();
  const get = (path: string) => api.request('GET', path, { token: team.token });
  const results = async () => (await get(`/v1/templates/${templateId}/results`)).body;

  return {
    ...{ templateId, pages, blocks, template, put, get, results },
    start: async (unique_id: string = crypto.randomUUID()) => {
      const path = `/v1/templates/${templateId}/journeys`;
      const { body } = await api.request('POST', path, { token: team.token, body: { contact: { unique_id } } });
      const act = async (body_: object) => {
        const { status, body: refused } = await api.request('POST', `/j/${body.slug}/actions`, { body: body_ });
        if (status !== 204) throw new Error(`${status} ${JSON.stringify(refused)}`);
      };
      const answer = (page: 'consent' | 'survey', given: object) =>
        act({ type: 'page_completed', page_id: pages[page], answers: [{ block_id: blocks[page], ...given }] });
      return {
        ...{ id: body.id as string, slug: body.slug as string, unique_id },
        view: (page: keyof typeof pages) => act({ type: 'page_viewed', page_id: pages[page] }),
        decide: (decision: 'accepted' | 'declined') => answer('consent', { answer: decision }),
        answer: (values: Record<string, string>) =>
          answer('survey', { values: Object.entries(values).map(([question, value]) => ({ question, value })) }),
        confirm: () =>
          api.request('PUT', `${path}/${body.id}`, { token: team.token, body: { is_completion_confirmed: true } }),
      };
    },
    /** The results once they are so: they follow the journeys within seconds. */
    settled: (isSettled: (found: Awaited<ReturnType<typeof results>>) => boolean) =>
      until('the results have settled', results, isSettled),
    /** Pages of a list, until there are no more. */
    pagesOf: async (path: string) => {
      const all: Awaited<ReturnType<typeof get>>['body'][] = [];
      for (let next: string | undefined = path; next !== undefined; ) {
        const { body, headers } = await get(next);
        all.push(body);
        next = headers.get('link')?.match(/<[^>]*?(\/v1[^>]*)>/)?.[1];
      }
      return all;
    },
  };
}
