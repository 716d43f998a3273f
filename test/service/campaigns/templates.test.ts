import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../../support/architecture/sources.ts';
import { putContent } from '../../support/operations/content.ts';
import { service } from '../../support/service/service.ts';

const sample = JSON.parse(readFileSync(`${projectRoot}/examples/campaigns.json`, 'utf8'));
const [welcome] = sample.templates;

const globalKey = `global_${randomUUID()}`;

const api = await service();
const [team, other] = await Promise.all([api.newTeam(), api.newTeam()]);
await putContent(api.database, null, { objectives: [{ key: globalKey, name: 'Everywhere' }] });
await putContent(api.database, team.teamId, sample);

const get = (path: string, as = team) => api.request('GET', path, { token: as.token });

describe('GET /v1/templates', () => {
  test("shows the caller's team alone, and what it consists of at its own addresses", async () => {
    expect((await get('/v1/templates', other)).body).toEqual({ templates: [] });
    const { body } = await get('/v1/templates');
    for (const template of body.templates) {
      expect(template.team).toMatchObject({ id: team.teamId, name: 'Test', privacy_policy_url: null });
      expect(template).not.toHaveProperty('template_pages');
      expect(template).not.toHaveProperty('template_messages');
      expect(template).not.toHaveProperty('has_survey_content_blocks');
    }
  });
});

describe('GET /v1/templates/:id/template_pages', () => {
  test('shows a page that templates share in each of them', async () => {
    const [, loan] = sample.templates;
    const { body } = await get(`/v1/templates/${loan.id}/template_pages`);
    expect(body.at(-1).page.id).toBe(welcome.template_pages[1].page.id);
    expect(body.at(-1).template_id).toBe(loan.id);
  });
});

test('GET /v1/objectives has the global ones too', async () => {
  const { body } = await get('/v1/objectives');
  const found = body.objectives.find(({ key }: { key: string }) => key === globalKey);
  expect(found).toMatchObject({ team_id: null, name: 'Everywhere' });
});
