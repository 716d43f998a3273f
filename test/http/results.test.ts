import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { resultsCampaign } from '../support/campaign-results.ts';
import { service, type TestService, type TestTeam } from '../support/service.ts';

let api: TestService;
let team: TestTeam;
beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
});

/** What is counted is tested in test/domain/results.test.ts and test/acceptance/results.ts. */
describe('GET /v1/journeys?template_id=', () => {
  test('is empty for an unknown template and for one of another team', async () => {
    const foreign = await resultsCampaign(api, await api.newTeam());
    await foreign.start();
    for (const id of [foreign.templateId, randomUUID()]) {
      const { status, body } = await api.request('GET', `/v1/journeys?template_id=${id}`, { token: team.token });
      expect([status, body]).toEqual([200, { journeys: [], has_more: false }]);
    }
  });

  test('refuses what it cannot read, all at once', async () => {
    const path = (await resultsCampaign(api, team)).templateId;
    for (const [query, names] of [
      ['', ['contact_id']],
      ['template_id=none', ['template_id']],
      ['limit=0&updated_since=yesterday&contact_id=1', ['contact_id', 'updated_since', 'limit']],
      ['limit=101', ['limit', 'contact_id']],
      [`template_id=${path}&cursor=none`, ['cursor']],
    ] as const) {
      const { status, body } = await api.request('GET', `/v1/journeys?${query}`, { token: team.token });
      expect([status, body.error]).toEqual([400, 'invalid_request']);
      expect(body.details.map((each: { path: string }) => each.path).sort()).toEqual([...names].sort());
    }
  });

  test('takes a cursor only for the query and the team that it was given to', async () => {
    const [one, other] = [await resultsCampaign(api, team), await resultsCampaign(api, team)];
    for (let n = 0; n < 2; n++) await one.start();
    const path = `/v1/journeys?template_id=${one.templateId}&limit=1`;
    const { next_cursor } = (await one.get(path)).body;
    const cursor = encodeURIComponent(next_cursor);
    expect((await one.get(`/v1/journeys?cursor=${cursor}`)).body.journeys).toHaveLength(1);
    for (const query of [`template_id=${other.templateId}`, 'limit=2', 'updated_since=2026-01-01T00:00:00Z']) {
      expect((await one.get(`/v1/journeys?cursor=${cursor}&${query}`)).status).toBe(400);
    }
    const { token } = await api.newTeam();
    expect((await api.request('GET', `/v1/journeys?cursor=${cursor}`, { token })).status).toBe(400);
    expect((await one.get(`/v1/templates/${one.templateId}/responses?cursor=${cursor}`)).status).toBe(400);
  });
});
