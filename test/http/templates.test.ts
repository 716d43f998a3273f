import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../architecture/sources.ts';
import { putContent } from '../support/content.ts';
import { service, type TestService, type TestTeam } from '../support/service.ts';

const sample = JSON.parse(readFileSync(`${projectRoot}/examples/campaigns.json`, 'utf8'));
const [welcome] = sample.templates;

let api: TestService;
let team: TestTeam;
let other: TestTeam;
const globalKey = `global_${randomUUID()}`;

beforeAll(async () => {
  api = await service();
  [team, other] = await Promise.all([api.newTeam(), api.newTeam()]);
  await putContent(api.database, null, { objectives: [{ key: globalKey, name: 'Everywhere' }] });
  await putContent(api.database, team.teamId, sample);
});

const get = (path: string, as = team) => api.request('GET', path, { token: as.token });
const idsOf = (values: { id: string }[]) => values.map(({ id }) => id);

describe('GET /v1/templates', () => {
  test('answers {"templates":[…]} in targeting_order, then name, archived ones included', async () => {
    const { status, body } = await get('/v1/templates');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['templates']);
    expect(body.templates.map(({ targeting_order }: { targeting_order: number }) => targeting_order)).toEqual([
      1, 2, 3, 90,
    ]);
    expect(body.templates.at(-1)).toMatchObject({ is_archived: true, status: 'archived' });
    const third = await api.newTeam();
    const templates = ['b', 'a', 'c'].map((name) => ({ name, targeting_order: name === 'c' ? 1 : 2 }));
    await putContent(api.database, third.teamId, { templates });
    const ordered = await get('/v1/templates', third);
    expect(ordered.body.templates.map(({ name }: { name: string }) => name)).toEqual(['c', 'a', 'b']);
  });

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

describe('GET /v1/templates/:id', () => {
  test('answers {"template":{…}} with every field that was imported', async () => {
    const { status, body } = await get(`/v1/templates/${welcome.id}`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['template']);
    const { template_pages, template_messages, content_blocks, ...fields } = welcome;
    expect(body.template).toMatchObject(fields);
    expect(idsOf(body.template.content_blocks)).toEqual(idsOf(content_blocks));
    expect(body.template.theme_overrides).toEqual({ button_radius: '6px' });
    expect(body.template.archived_at).toBeNull();
  });

  test('says whether there is a survey only when has_survey_content_blocks is true', async () => {
    const flagged = (id: string, value: string) => get(`/v1/templates/${id}?has_survey_content_blocks=${value}`);
    expect((await flagged(welcome.id, 'true')).body.template.has_survey_content_blocks).toBe(true);
    expect((await flagged(sample.templates[1].id, 'true')).body.template.has_survey_content_blocks).toBe(false);
    expect((await flagged(welcome.id, 'false')).body.template).not.toHaveProperty('has_survey_content_blocks');
    expect((await get(`/v1/templates/${welcome.id}`)).body.template).not.toHaveProperty('has_survey_content_blocks');
  });

  test.each(['survey', 'Survey', 'SURVEY'])('counts a block of the type %s as a survey', async (type) => {
    const id = crypto.randomUUID();
    const content_blocks = [{ type, data: { questions: ['Why?'] } }];
    await putContent(api.database, team.teamId, {
      templates: [{ id, name: type, content_blocks, template_pages: [] }],
    });
    const { body } = await get(`/v1/templates/${id}?has_survey_content_blocks=true`);
    expect(body.template.has_survey_content_blocks).toBe(true);
  });

  test.each(['', 'yes', '1', 'TRUE'])('has_survey_content_blocks=%s is 400', async (value) => {
    const { status, body } = await get(`/v1/templates/${welcome.id}?has_survey_content_blocks=${value}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'invalid_request', details: [{ path: 'has_survey_content_blocks' }] });
  });
});

describe('GET /v1/templates/:id/template_messages', () => {
  test('answers {"templates":[…]} in order, with message and objective', async () => {
    const { status, body } = await get(`/v1/templates/${welcome.id}/template_messages`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['templates']);
    expect(body.templates.map(({ order }: { order: number }) => order)).toEqual([1, 2, 3]);
    expect(body.templates[1]).toMatchObject({
      template_id: welcome.id,
      message_id: welcome.template_messages[1].message.id,
      template_page_id: welcome.template_messages[1].template_page_id,
      scheduled_at: '2026-01-09T14:00:00.000000Z',
      message: {
        type: 'email',
        is_transactional: false,
        payload: { subject: 'Two minutes to online banking' },
        objective: { key: 'digital_banking_enrolled', team_id: team.teamId },
        css: null,
      },
    });
  });
});

describe('GET /v1/templates/:id/template_pages', () => {
  test('answers a bare array in order, with pages, containers and blocks', async () => {
    const { status, body } = await get(`/v1/templates/${welcome.id}/template_pages`);
    expect(status).toBe(200);
    expect(body.map(({ order }: { order: number }) => order)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const conditions = body.map(({ page }: { page: { completion_condition: string } }) => page.completion_condition);
    expect(conditions).toEqual(['view', 'objective', 'objective', 'confirm', 'action', 'open', 'confirm']);
    const { page } = body[1];
    expect(page).toMatchObject({
      team_id: team.teamId,
      team: { id: team.teamId },
      completion_product_ids: [],
      completion_standardized_types: [],
      completion_product_id: null,
    });
    expect(page.content_containers[0]).toMatchObject({
      page_id: page.id,
      engagement_channel: { name: 'Online banking dashboard', properties: { height: '320px', width: '100%' } },
      content_blocks: ['text', 'button'].map((type) => ({
        type,
        container_type: 'content_container',
        container_id: page.content_containers[0].id,
      })),
    });
  });

  test('shows a page that templates share in each of them', async () => {
    const [, loan] = sample.templates;
    const { body } = await get(`/v1/templates/${loan.id}/template_pages`);
    expect(body.at(-1).page.id).toBe(welcome.template_pages[1].page.id);
    expect(body.at(-1).template_id).toBe(loan.id);
  });
});

describe.each(['', '/template_messages', '/template_pages'])('GET /v1/templates/:id%s', (rest) => {
  test("is 404 for an unknown id, a malformed one and another team's", async () => {
    const answers = await Promise.all([
      get(`/v1/templates/${randomUUID()}${rest}`),
      get(`/v1/templates/no-uuid${rest}`),
      get(`/v1/templates/${welcome.id}${rest}`, other),
    ]);
    for (const { status, body } of answers) {
      expect({ status, error: body.error }).toEqual({ status: 404, error: 'not_found' });
    }
    expect(answers[0]!.body.message).toBe(answers[2]!.body.message);
  });

  test('needs a token, before anything else', async () => {
    const { status, body } = await api.request('GET', `/v1/templates/no-uuid${rest}`);
    expect({ status, body }).toEqual({ status: 401, body: { error: 'invalid_token' } });
  });
});

describe('GET /v1/objectives', () => {
  test('answers {"objectives":[…]}: the team\'s own and the global ones, by key', async () => {
    const { status, body } = await get('/v1/objectives');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['objectives']);
    const keys = body.objectives.map(({ key }: { key: string }) => key);
    expect(keys).toEqual([...keys].sort());
    expect(keys).toEqual(expect.arrayContaining(sample.objectives.map(({ key }: { key: string }) => key)));
    const find = (key: string) => body.objectives.find((each: { key: string }) => each.key === key);
    expect(find('debit_card_activated')).toEqual({
      id: sample.objectives[2].id,
      key: 'debit_card_activated',
      name: 'Debit card activated',
      team_id: team.teamId,
      driver_id: null,
    });
    expect(find(globalKey)).toMatchObject({ team_id: null, name: 'Everywhere' });
  });

  test("leaves out other teams' objectives", async () => {
    const { body } = await get('/v1/objectives', other);
    expect(body.objectives.every(({ team_id }: { team_id: string | null }) => team_id === null)).toBe(true);
  });
});

test('a changed import is visible at once', async () => {
  const fresh = await api.newTeam();
  const put = (name: string) => putContent(api.database, fresh.teamId, { templates: [{ id: welcome.id, name }] });
  await put('before');
  const name = async () => (await get(`/v1/templates/${welcome.id}`, fresh)).body.template.name;
  expect(await name()).toBe('before');
  await put('after');
  expect(await name()).toBe('after');
});
