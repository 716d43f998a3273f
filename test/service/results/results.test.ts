import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { adminJson } from '../../support/service/admin.ts';
import { service } from '../../support/service/service.ts';
import { resultsCampaign } from './campaign-results.ts';

const api = await service();
const team = await api.newTeam();

/** What is counted is tested in test/unit/results/results.test.ts and test/judges/acceptance/results.ts. */
describe('GET /v1/journeys?template_id=', () => {
  test('is empty for an unknown template and for one of another team', async () => {
    const foreign = await resultsCampaign(api, await api.newTeam());
    await foreign.start();
    for (const id of [foreign.templateId, randomUUID()]) {
      const { status, body } = await api.request('GET', `/v1/journeys?template_id=${id}`, { token: team.token });
      expect([status, body]).toEqual([200, { journeys: [], has_more: false }]);
    }
  });

  test('records what new content makes complete, so that later content does not undo it', async () => {
    const other = await api.newTeam();
    const own = await resultsCampaign(api, other);
    const { view } = await own.start();
    await view('view');
    await own.settled(({ journeys }) => journeys.opened === 1);
    // The command reads the content anew, and a function only after some seconds.
    const isCompleted = async () => {
      const { value } = await adminJson('template', 'journeys', '--team', other.teamId, '--template', own.templateId);
      return value[0].analytics_cache.is_completed;
    };
    expect(await isCompleted()).toBe(false);
    await own.put({ template_pages: own.template.template_pages.slice(0, 1) });
    expect(await isCompleted()).toBe(true);
    await own.put();
    // The list follows what is recorded within seconds.
    await expect.poll(isCompleted).toBe(true);
  });

  test('refuses what it cannot read, all at once', async () => {
    const path = (await resultsCampaign(api, team)).templateId;
    for (const [query, names] of [
      ['', ['contact_id']],
      ['template_id=none', ['template_id']],
      ['limit=0&updated_since=yesterday&contact_id=1', ['contact_id']],
      ['limit=0&updated_since=yesterday&template_id=1', ['template_id', 'updated_since', 'limit']],
      ['limit=101', ['limit', 'contact_id']],
      [`template_id=${path}&cursor=none`, ['cursor']],
    ] as const) {
      const { status, body } = await api.request('GET', `/v1/journeys?${query}`, { token: team.token });
      expect([status, body.error]).toEqual([400, 'invalid_request']);
      expect(body.details.map((each: { path: string }) => each.path).sort()).toEqual([...names].sort());
    }
  });
});
