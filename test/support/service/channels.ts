import { putContent } from '../operations/content.ts';
import type { TestPage } from './journeys.ts';
import type { TestService } from './service.ts';

export type Embedding = Awaited<ReturnType<typeof embedding>>;
export type Person = { contactId: string; url: string; path: string; journeyUrl: string };

/** A page, with content for the channel if any is given. */
export const pageFor = (
  channelId: string,
  completion_condition: string | null,
  { container, ...fields }: Record<string, unknown> = {},
): TestPage => ({
  id: crypto.randomUUID(),
  completion_condition,
  ...fields,
  content_containers: container ? [{ engagement_channel_id: channelId, layout_basis: 'grid', ...container }] : [],
});

/** A new team with one channel and one campaign for it, and the requests of an embedding partner. */
export async function embedding(
  api: TestService,
  pagesOf: (channelId: string) => readonly TestPage[],
  channel: Record<string, unknown> = {},
  template: Record<string, unknown> = {},
) {
  const { teamId, token } = await api.newTeam();
  const [channelId, templateId] = [crypto.randomUUID(), crypto.randomUUID()];
  const pages = pagesOf(channelId);
  const template_pages = pages.map((page, at) => ({ order: at, content_variables: page.variables ?? null, page }));
  const live = { name: 'Campaign', status: 'live', is_cce_enabled: true };
  const put = (changes: { channel?: object; template?: object } = {}) =>
    putContent(api.database, teamId, {
      engagement_channels: [{ name: 'Web', ...channel, ...changes.channel, id: channelId }],
      templates: [{ ...live, template_pages, ...template, ...changes.template, id: templateId }],
    });
  await put();
  const search = async (uniqueId: string) => {
    const query = `unique_id=${encodeURIComponent(uniqueId)}`;
    const path = `/v1/engagement-channels/${channelId}/content-containers/search?${query}`;
    const { body } = await api.request('GET', path, { token });
    return { url: body.url as string, path: new URL(body.url).pathname, journeyUrl: body.journey_url as string };
  };
  return {
    ...{ channelId, teamId, token, pages, put, search },
    /** A new contact with a journey of the campaign. */
    person: async (contact: Record<string, unknown> = {}): Promise<Person> => {
      const unique_id = crypto.randomUUID();
      const journey = { template_id: templateId };
      const { body } = await api.request('POST', '/v1/contacts', { token, body: { unique_id, ...contact, journey } });
      return { contactId: body.id, ...(await search(unique_id)) };
    },
    /** The progress as the API returns it. */
    analytics: async ({ contactId }: Person) => {
      const { body } = await api.request('GET', `/v1/journeys?contact_id=${contactId}`, { token });
      return body[0].analytics_cache;
    },
  };
}
