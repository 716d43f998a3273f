import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { putContent } from '../support/content.ts';
import { service, type TestService, type TestTeam } from '../support/service.ts';

let api: TestService;
let team: TestTeam;
beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
});

describe('a required question', () => {
  const required = randomUUID();
  const questions = [
    { text: 'Why, {{name_first}}?', required: true },
    { text: 'How?', options: ['A', 'B'] },
  ];
  const asked = { id: required, type: 'survey', data: { questions } };
  const ownPage = { id: randomUUID(), completion_condition: 'confirm', content_blocks: [asked] };
  const own = { id: randomUUID(), name: 'Required', template_pages: [{ id: randomUUID(), page: ownPage }] };
  let slug: string;
  beforeAll(async () => {
    await putContent(api.database, team.teamId, { templates: [own] });
    const body = { contact: { unique_id: randomUUID(), name_first: 'Jana' } };
    const started = await api.request('POST', `/v1/templates/${own.id}/journeys`, { token: team.token, body });
    slug = started.body.slug;
  });
  const send = (values: object[]) =>
    api.request('POST', `/j/${slug}/actions`, {
      body: { type: 'page_completed', page_id: ownPage.id, answers: [{ block_id: required, values }] },
    });

  test('must be answered, with more than spaces', async () => {
    const message = 'must have an answer to "Why, {{name_first}}?"';
    for (const values of [[], [{ question: 'How?', value: 'A' }], [{ question: 'Why, Jana?', value: ' ' }]]) {
      const { status, body } = await send(values);
      expect([status, body.details]).toEqual([422, [{ path: '/answers/0/values', message }]]);
    }
    expect((await send([{ question: 'Why, Jana?', value: 'Because' }])).status).toBe(204);
  });

  test('is named on the page that is shown again without scripts, with what was chosen', async () => {
    const fields = { type: 'page_completed', page_id: ownPage.id, stay: 'yes', block_id: required, 'value:How?': 'B' };
    const { status, body } = await api.request('POST', `/j/${slug}/actions`, {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    });
    expect(status).toBe(422);
    expect(body).toMatch(
      /Why, Jana\?<span aria-hidden="true">\u00a0\*<\/span><\/label><span class="unanswered" id="b1-1-fault">Please answer this question\.<\/span><textarea[^>]* aria-invalid="true" aria-describedby="b1-1-fault" autofocus>/,
    );
    expect(body).toMatch(/value="B"[^>]* checked/);
    expect(body.match(/class="unanswered"/g)).toHaveLength(1);
  });

  test('is required by the form, and the others are not', async () => {
    const html = (await api.request('GET', `/j/${slug}?page=${ownPage.id}`)).body as string;
    expect(html).toContain('rows="3" name="value:Why, Jana?" required');
    expect(html).not.toMatch(/<input type="radio"[^>]* required/);
  });
});

test('an answer has the key of its question in every language', async () => {
  const block_id = randomUUID();
  const questions = [{ key: 'ease', text: 'How easy?' }];
  const asking = { id: randomUUID(), completion_condition: 'confirm' };
  const own = {
    ...{ id: randomUUID(), name: 'Survey', language: 'en' },
    translations: { es: { 'How easy?': '¿Fácil?' } },
    template_pages: [{ page: { ...asking, content_blocks: [{ id: block_id, type: 'survey', data: { questions } }] } }],
  };
  await putContent(api.database, team.teamId, { templates: [own] });
  for (const [language, question] of [
    ['en', 'How easy?'],
    ['es', '¿Fácil?'],
  ]) {
    const body = { contact: { unique_id: randomUUID(), meta_public: { language } } };
    const started = await api.request('POST', `/v1/templates/${own.id}/journeys`, { token: team.token, body });
    const values = [{ question, value: 'Very' }];
    const { status } = await api.request('POST', `/j/${started.body.slug}/actions`, {
      body: { type: 'page_completed', page_id: asking.id, answers: [{ block_id, values }] },
    });
    expect(status).toBe(204);
    const { body: kept } = await api.request('GET', `/v1/journeys/${started.body.id}/responses`, { token: team.token });
    expect(kept.responses).toMatchObject([{ values: [{ key: 'ease', question, value: 'Very' }] }]);
  }
});
