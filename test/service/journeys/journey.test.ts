import { beforeAll, describe, expect, test } from 'vitest';
import { putContent } from '../../support/operations/content.ts';
import { adminJson } from '../../support/service/admin.ts';
import { service } from '../../support/service/service.ts';

const api = await service();
const team = await api.newTeam();
const [template, page] = [crypto.randomUUID(), crypto.randomUUID()];
beforeAll(async () => {
  const template_pages = [{ order: 1, page: { id: page, completion_condition: 'confirm', is_live: true } }];
  const fields = { id: template, name: 'Reissued', status: 'live', content_block_status: 'published', template_pages };
  await putContent(api.database, team.teamId, { templates: [fields] });
});

const started = async () => {
  const body = { contact: { unique_id: crypto.randomUUID() } };
  return (await api.request('POST', `/v1/templates/${template}/journeys`, { token: team.token, body })).body;
};
const reissue = (journey: string, teamId = team.teamId) =>
  adminJson('journey', 'reissue', '--team', teamId, '--journey', journey);
const statusAt = async (slug: string) => (await api.request('GET', `/j/${slug}`)).status;

describe('journey reissue', () => {
  test('prints the new URL, and ends the old one also for actions', async () => {
    const { id, slug } = await started();
    const { status, value } = await reissue(id);
    expect({ status, value }).toEqual({
      status: 0,
      value: {
        journey_id: id,
        slug: expect.stringMatching(/^[\w-]{24}$/),
        account_id: null,
        state: 'open',
        web_client_url: `${api.baseUrl}/j/${value.slug}`,
      },
    });
    const body = { type: 'page_completed', page_id: page };
    expect((await api.request('POST', `/j/${slug}/actions`, { body })).status).toBe(404);
  });

  test('refuses a journey that does not exist, or is of another team', async () => {
    const [own, other] = [await started(), await api.newTeam()];
    for (const [journey, teamId] of [[crypto.randomUUID()], ['x'], [own.id, other.teamId]]) {
      const { status, value } = await reissue(journey, teamId);
      expect([status, value.error, value.details[0].path]).toEqual([1, 'not_found', '--journey']);
    }
    expect(await statusAt(own.slug)).toBe(200);
  });
});
