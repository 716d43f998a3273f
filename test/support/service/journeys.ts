import { putContent } from '../operations/content.ts';
import type { TestService } from './service.ts';

export type TestPage = Record<string, unknown> & { id: string };
export type TestJourney = { slug: string; url: string; contactId: string };

/** A page for a test. */
export const testPage = (completion_condition: string | null, fields: Record<string, unknown> = {}): TestPage => ({
  id: crypto.randomUUID(),
  completion_condition,
  layout_basis: 'grid',
  ...fields,
});

/** A new team with one campaign of these pages, and the requests of its journeys. */
export async function campaign(api: TestService, pages: readonly TestPage[], template: Record<string, unknown> = {}) {
  const { teamId, token } = await api.newTeam();
  const id = crypto.randomUUID();
  const put = (changes: Record<string, unknown> = {}) =>
    putContent(api.database, teamId, {
      templates: [
        {
          name: 'Campaign',
          status: 'live',
          ...template,
          ...changes,
          id,
          template_pages: pages.map((page, at) => ({ order: at + 1, content_variables: page.variables ?? null, page })),
        },
      ],
    });
  await put();
  return {
    put,
    teamId,
    token,
    templateId: id,
    start: async (contact: Record<string, unknown> = {}): Promise<TestJourney> => {
      const body = { unique_id: crypto.randomUUID(), ...contact };
      const { body: made } = await api.request('POST', '/v1/contacts', { body, token });
      const journey = { contact: { id: made.id } };
      const { body: started } = await api.request('POST', `/v1/templates/${id}/journeys`, { body: journey, token });
      return { slug: started.slug, url: started.web_client_url, contactId: made.id };
    },
    /** The progress as the API returns it. */
    analytics: async ({ contactId }: TestJourney) => {
      const { body } = await api.request('GET', `/v1/journeys?contact_id=${contactId}`, { token });
      return body[0].analytics_cache;
    },
  };
}
