import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { embedding, pageFor } from '../support/channels.ts';
import { limitedToken } from '../support/clients.ts';
import { putContent } from '../support/content.ts';
import { service, type TestService, type TestTeam } from '../support/service.ts';

let api: TestService;
let team: TestTeam;
const blocks = {
  terms: {
    id: randomUUID(),
    type: 'agreement',
    order: 1,
    data: {
      agreementText: 'I agree to the terms of {{team.name}}, which are long enough to stand above.',
      disagreeText: 'No',
      acceptedConfirmationText: 'Thank you for agreeing.',
      declinedConfirmationText: 'Nothing changes.',
      signatureBoxText: 'Your full name',
    },
  },
  survey: { id: randomUUID(), type: 'survey', order: 2, data: { questions: [{ text: 'How easy?', scale: [1, 5] }] } },
  text: { id: randomUUID(), type: 'text', order: 3, data: { body: 'Hello' } },
};
const page = { id: randomUUID(), completion_condition: 'confirm', content_blocks: Object.values(blocks) };
const template = { id: randomUUID(), name: 'Terms', template_pages: [{ id: randomUUID(), page }] };

beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
  await putContent(api.database, team.teamId, { templates: [template] });
});

async function journey(fields: object = {}) {
  const body = { contact: { unique_id: randomUUID(), ...fields } };
  const started = await api.request('POST', `/v1/templates/${template.id}/journeys`, { token: team.token, body });
  const { body: contact } = await api.request('POST', '/v1/contacts', { token: team.token, body: body.contact });
  return { ...(started.body as { id: string; slug: string }), contact_id: contact.id as string };
}
type Journey = Awaited<ReturnType<typeof journey>>;

const responsesOf = async (id: string, token = team.token) => {
  const { status, body } = await api.request('GET', `/v1/journeys/${id}/responses`, { token });
  expect(status).toBe(200);
  return body.responses;
};
const progressOf = async ({ contact_id }: Journey) =>
  (await api.request('GET', `/v1/journeys?contact_id=${contact_id}`, { token: team.token })).body[0];
const answer = ({ slug }: Journey, answers: object[], more: object = {}) =>
  api.request('POST', `/j/${slug}/actions`, { body: { type: 'page_completed', page_id: page.id, answers, ...more } });
const form = ({ slug }: Journey, fields: Record<string, string>) =>
  api.request('POST', `/j/${slug}/actions`, {
    body: new URLSearchParams({ type: 'page_completed', page_id: page.id, stay: 'yes', ...fields }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const shown = async ({ slug }: Journey) => (await api.request('GET', `/j/${slug}?page=${page.id}`)).body as string;
const { terms, survey } = blocks;
const signed = { block_id: terms.id, answer: 'accepted', typed_name: 'Jana Novotna' };

describe('what a person answers', () => {
  test('is kept with what was shown and when, completes the page, and is acknowledged', async () => {
    const own = await journey();
    expect((await answer(own, [signed])).status).toBe(204);
    const { updated_at, analytics_cache } = await progressOf(own);
    const responses = await responsesOf(own.id);
    expect(updated_at >= responses[0].at).toBe(true);
    expect(responses).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        page_id: page.id,
        block_id: terms.id,
        block_type: 'agreement',
        answer: 'accepted',
        typed_name: 'Jana Novotna',
        values: [],
        text: 'I agree to the terms of Test, which are long enough to stand above.\n\nYour full name',
        content_revision: expect.any(String),
        identity_proved: false,
        at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
    expect(analytics_cache).toMatchObject({ pages_completed: [page.id], is_completed: true });
    expect(await shown(own)).toContain('Thank you for agreeing.');
  });

  test('by declining is recorded, completes nothing, and is not called accepted', async () => {
    const own = await journey();
    const back = await form(own, { block_id: terms.id, answer: 'declined' });
    expect(back.status).toBe(303);
    expect(await responsesOf(own.id)).toMatchObject([{ answer: 'declined', typed_name: null }]);
    expect((await progressOf(own)).analytics_cache.pages_completed).toEqual([]);
    const html = await shown(own);
    expect(html).toContain('Nothing changes.');
    expect(html).not.toContain('Thank you for agreeing.');
  });

  test('later is another entry, and the page goes by the latest', async () => {
    const own = await journey();
    await answer(own, [{ block_id: terms.id, answer: 'declined' }]);
    await form(own, { block_id: terms.id, answer: 'accepted', typed_name: 'Jana' });
    const responses = await responsesOf(own.id);
    expect(responses.map((each: { answer: string }) => each.answer)).toEqual(['declined', 'accepted']);
    expect(new Set(responses.map(({ id }: { id: string }) => id)).size).toBe(2);
    expect(await shown(own)).toContain('Thank you for agreeing.');
  });

  test('to a survey is kept by question, beside an agreement or by a form of its own', async () => {
    const own = await journey();
    await form(own, { block_id: survey.id, 'value:How easy?': '4', button: 'x' });
    const values = [{ question: 'How easy?', value: '5' }];
    await answer(own, [signed, { block_id: survey.id, values }]);
    const responses = await responsesOf(own.id);
    expect(responses).toMatchObject([
      { block_id: survey.id, answer: null, values: [{ question: 'How easy?', value: '4' }] },
      {},
      {},
    ]);
    expect(responses).toContainEqual(expect.objectContaining({ block_id: survey.id, answer: null, values }));
    const html = await shown(own);
    expect(html).toMatch(/<section class="survey".*Thank you\./s);
  });

  test('many times at one moment loses nothing, and completes once', async () => {
    const own = await journey();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => answer(own, [{ ...signed, typed_name: `Name ${n}` }])),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(204));
    expect(await responsesOf(own.id)).toHaveLength(8);
    expect((await progressOf(own)).analytics_cache.pages_completed).toEqual([page.id]);
  });

  test('is refused whole where any of it is wrong', async () => {
    const own = await journey();
    const faulty = [
      signed,
      { block_id: blocks.text.id, answer: 'accepted' },
      { block_id: survey.id, answer: 'accepted' },
    ];
    const refused = await answer(own, faulty);
    expect([refused.status, refused.body.details.map(({ path }: { path: string }) => path)]).toEqual([
      422,
      ['/answers/1/block_id', '/answers/2/answer'],
    ]);
    expect((await answer(own, [{ block_id: terms.id, answer: 'maybe' }])).status).toBe(422);
    expect((await answer(own, [{ ...signed, typed_name: 'x'.repeat(201) }])).status).toBe(422);
    expect((await answer(own, [signed], { type: 'page_viewed' })).status).toBe(422);
    expect((await form(own, { block_id: terms.id, answer: 'accepted' })).status).toBe(422);
    expect(await responsesOf(own.id)).toEqual([]);
    expect((await progressOf(own)).analytics_cache.pages_completed).toEqual([]);
  });

  test('in a channel is kept as on the page, and acknowledged there', async () => {
    const id = randomUUID();
    const container = { content_blocks: [{ ...terms, id }] };
    const own = await embedding(api, (channel) => [pageFor(channel, 'confirm', { container })]);
    const person = await own.person();
    const sent = await api.request('POST', `${person.path}/actions`, {
      body: { type: 'page_completed', answers: [{ ...signed, block_id: id }] },
    });
    expect(sent.status).toBe(204);
    expect((await api.request('GET', person.path)).body).toContain('Thank you for agreeing.');
    expect((await own.analytics(person)).pages_completed).toHaveLength(1);
  });

  test('says that the identity was proved where it was', async () => {
    const own = await journey({ birthdate: '1985-03-27', post_code: '94110' });
    const guarded = { ...template, is_auth_required: true };
    await putContent(api.database, team.teamId, { templates: [guarded] });
    const fields = { birth_month: '3', birth_day: '27', birth_year: '1985', post_code: '94110' };
    const ask = async () =>
      api.request('POST', `/j/${own.slug}/identity`, {
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    await expect
      .poll(async () => (await ask()).headers.get('set-cookie'), { timeout: 10_000 })
      .toMatch(/^identity=\S+;/);
    const cookie = (await ask()).headers.get('set-cookie')!.split(';')[0]!;
    const body = { type: 'page_completed', page_id: page.id, answers: [signed] };
    expect((await api.request('POST', `/j/${own.slug}/actions`, { body })).status).toBe(403);
    expect((await api.request('POST', `/j/${own.slug}/actions`, { body, headers: { cookie } })).status).toBe(204);
    expect(await responsesOf(own.id)).toMatchObject([{ identity_proved: true, text: expect.any(String) }]);
    // The shown text may contain private values, so only clients with that scope get it.
    const limited = await limitedToken(api, team.teamId, 'journeys:read');
    expect(await responsesOf(own.id, limited)).toMatchObject([{ typed_name: 'Jana Novotna', text: null }]);
    await putContent(api.database, team.teamId, { templates: [template] });
  }, 20_000);
});

describe('GET /v1/journeys/:journey_id/responses', () => {
  test('is empty where nothing was answered', async () => {
    expect(await responsesOf((await journey()).id)).toEqual([]);
  });

  test('is 404 for an unknown journey, one of another team, and an id that is none', async () => {
    const { id } = await journey();
    const other = await api.newTeam();
    for (const [path, token] of [
      [randomUUID(), team.token],
      [id, other.token],
      ['none', team.token],
    ]) {
      const { status } = await api.request('GET', `/v1/journeys/${path}/responses`, { token: token! });
      expect(status).toBe(404);
    }
  });
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
    await putContent(api.database, team.teamId, { templates: [template, own] });
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
  await putContent(api.database, team.teamId, { templates: [template, own] });
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
    expect(await responsesOf(started.body.id)).toMatchObject([{ values: [{ key: 'ease', question, value: 'Very' }] }]);
  }
});
