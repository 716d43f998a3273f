import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { fillLookups } from '../../bin/admin/operations/fill-lookups.ts';
import { openReference, teamOfReference } from '../../lib/auth/content-reference.ts';
import { secretsOf } from '../../lib/domain/team.ts';
import { loadTeam } from '../../lib/store/teams.ts';
import { putContent } from './content.ts';
import { service, type TestTeam } from './service.ts';

const api = await service();

const container = (channel: string) => ({ id: randomUUID(), engagement_channel_id: channel });
export type Page = { id: string; content_containers: { id: string }[]; [field: string]: unknown };
export const page = (channel: string | undefined, fields: object = {}): Page => ({
  id: randomUUID(),
  content_containers: channel === undefined ? [] : [container(channel)],
  ...fields,
});
const live = { status: 'live', is_cce_enabled: true, is_muted: false };
export const template = (targeting_order: number, pages: Page[], fields: object = {}) => ({
  id: randomUUID(),
  name: `Campaign ${targeting_order}`,
  targeting_order,
  template_pages: pages.map((each, order) => ({ id: randomUUID(), order, page: each })),
  ...live,
  ...fields,
});

/** A team with one channel, one campaign for it, and a client for lookups. */
export async function institution(lookup_fields: string[] = []) {
  const team = await api.newTeam();
  const channel = randomUUID();
  const first = page(channel);
  const campaign = template(1, [first]);
  const engagement_channels = [
    { id: channel, name: 'Web', lookup_fields },
    { id: randomUUID(), name: 'Branch' },
  ];
  await putContent(api.database, team.teamId, { engagement_channels, templates: [campaign] });
  await filled(team);
  const journey = { template_id: campaign.id };
  const post = async (contact: object) => {
    const { status, body } = await api.request('POST', '/v1/contacts', { token: team.token, body: contact });
    expect(status).toBeLessThan(300);
    return body;
  };
  const ask = (query: string, at: string = channel) => search(team, at, query);
  return { ...team, channel, otherChannel: engagement_channels[1]!.id, first, campaign, journey, post, ask };
}
export type Institution = Awaited<ReturnType<typeof institution>>;

const search = ({ token }: { token: string }, channel: string, query: string) =>
  api.request('GET', `/v1/engagement-channels/${channel}/content-containers/search${query}`, { token });
export const filled = ({ teamId }: { teamId: string }) => {
  const immediately = async () => {};
  return fillLookups({ database: api.database, now: Date.now, wait: immediately, pause: immediately }, teamId);
};
export const slugOf = async ({ token }: TestTeam, contactId: string): Promise<string[]> => {
  const { body } = await api.request('GET', `/v1/journeys?contact_id=${contactId}`, { token });
  return body.map(({ slug }: { slug: string }) => slug);
};
/** The content that a URL was sealed for; only the service can open it. */
export async function shownAt({ teamId }: TestTeam, channel: string, url: string) {
  const [, reference] = url.match(new RegExp(`^${api.baseUrl}/c/${channel}/([\\w.-]+)$`))!;
  expect(teamOfReference(reference!)).toBe(teamId);
  const team = await loadTeam(api.database, teamId);
  return openReference(teamId, secretsOf(team!), channel, reference!);
}
