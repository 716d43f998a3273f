import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { putContent } from '../../support/operations/content.ts';
import { embedding, pageFor } from '../../support/service/channels.ts';
import { service, type TestResponse, type TestService, type TestTeam } from '../../support/service/service.ts';

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
const { terms, survey } = blocks;
const page = { id: randomUUID(), completion_condition: 'confirm', content_blocks: Object.values(blocks) };
const template = { id: randomUUID(), name: 'Terms', template_pages: [{ id: randomUUID(), page }] };
/** Asks for a proof of identity. */
const guardedTerms = { ...terms, id: randomUUID() };
const guardedPage = { id: randomUUID(), completion_condition: 'confirm', content_blocks: [guardedTerms] };
const guarded = {
  ...{ id: randomUUID(), name: 'Guarded', is_auth_required: true },
  template_pages: [{ id: randomUUID(), page: guardedPage }],
};
/** Of its pages, one asks for a proof. */
const privatePage = {
  id: randomUUID(),
  content_blocks: [{ id: randomUUID(), type: 'text', order: 1, data: { body: '{{meta_private.pin}}' } }],
};
const openPage = {
  id: randomUUID(),
  completion_condition: 'confirm',
  content_blocks: [{ ...terms, id: randomUUID() }],
};
const partly = {
  ...{ id: randomUUID(), name: 'Partly' },
  template_pages: [privatePage, openPage].map((each) => ({ id: randomUUID(), page: each })),
};

beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
  await putContent(api.database, team.teamId, { templates: [template, guarded, partly] });
});

async function journey(fields: object = {}, { id }: { id: string } = template) {
  const body = { contact: { unique_id: randomUUID(), ...fields } };
  const started = await api.request('POST', `/v1/templates/${id}/journeys`, { token: team.token, body });
  const { body: contact } = await api.request('POST', '/v1/contacts', { token: team.token, body: body.contact });
  return { ...(started.body as { id: string; slug: string }), contact_id: contact.id as string };
}
type Journey = Awaited<ReturnType<typeof journey>>;

const responsesOf = async (id: string) => {
  const { status, body } = await api.request('GET', `/v1/journeys/${id}/responses`, { token: team.token });
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
const signed = { block_id: terms.id, answer: 'accepted', typed_name: 'Jana Novotna' };

describe('what a person answers', () => {
  test('to a survey is kept by question, beside an agreement or by a form of its own', async () => {
    const own = await journey();
    await form(own, { block_id: survey.id, 'value:How easy?': '4', button: 'x' });
    const values = [{ question: 'How easy?', value: '5' }];
    await answer(own, [signed, { block_id: survey.id, values }]);
    expect(await responsesOf(own.id)).toMatchObject([
      { block_id: survey.id, answer: null, values: [{ question: 'How easy?', value: '4' }] },
      { block_id: terms.id },
      { block_id: survey.id, answer: null, values },
    ]);
    const html = await shown(own);
    expect(html).toMatch(/<section class="survey".*Thank you\./s);
  });

  test.each([
    ['any of it is wrong', [signed, { block_id: blocks.text.id, answer: 'accepted' }], {}],
    ['it comes with a view', [signed], { type: 'page_viewed' }],
  ])('is refused whole where %s', async (_, answers, more) => {
    const own = await journey();
    expect((await answer(own, answers, more)).status).toBe(422);
    expect(await responsesOf(own.id)).toEqual([]);
  });

  test('is bounded: of 60, of which 20 at one moment, 50 are kept, and the others refused and recorded nowhere', async () => {
    const own = await journey();
    const send = (n: number) => answer(own, [{ ...signed, typed_name: `Name ${n}` }]);
    const sent: TestResponse[] = [];
    while (sent.length < 40) sent.push(await send(sent.length));
    sent.push(...(await Promise.all(Array.from({ length: 20 }, (_, n) => send(40 + n)))));
    const statusesOf = (status: number) => sent.filter((each) => each.status === status);
    expect([statusesOf(204).length, statusesOf(409).length]).toEqual([50, 10]);
    expect(statusesOf(409)[0]!.body).toMatchObject({ error: 'conflict' });
    const kept: { at: string; typed_name: string }[] = await responsesOf(own.id);
    const accepted = sent.flatMap(({ status }, n) => (status === 204 ? [`Name ${n}`] : []));
    expect(kept.map(({ typed_name }) => typed_name).sort()).toEqual(accepted.sort());
    const times = kept.map(({ at }) => at);
    expect(times).toEqual([...new Set(times)].sort());
    expect((await answer(own, [{ block_id: survey.id }, signed])).status).toBe(409);
    expect((await form(own, { block_id: terms.id, answer: 'declined' })).status).toBe(409);
    expect(await responsesOf(own.id)).toEqual(kept);
    expect((await answer(own, [{ block_id: survey.id }])).status).toBe(204);
    expect((await progressOf(own)).analytics_cache.pages_completed).toEqual([page.id]);
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
    const send = (answer: object) =>
      api.request('POST', `${person.path}/actions`, {
        body: { type: 'page_completed', answers: [{ ...signed, block_id: id, ...answer }] },
      });
    expect((await send({ values: [{ question: 'Why?', value: 'So' }] })).body.details).toMatchObject([
      { path: '/answers/0/values' },
    ]);
  });

  test('says that the identity was proved where it was', async () => {
    const facts = { birthdate: '1985-03-27', post_code: '94110' };
    const fields = { birth_month: '3', birth_day: '27', birth_year: '1985', post_code: '94110' };
    const prove = async ({ slug }: Journey, more: object = {}) => {
      const sent = await api.request('POST', `/j/${slug}/identity`, {
        body: new URLSearchParams({ ...fields, ...more }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      return sent.headers.get('set-cookie')!.split(';')[0]!;
    };
    const own = await journey(facts, guarded);
    const cookie = await prove(own);
    const answers = [{ ...signed, block_id: guardedTerms.id }];
    const body = { type: 'page_completed', page_id: guardedPage.id, answers };
    expect((await api.request('POST', `/j/${own.slug}/actions`, { body })).status).toBe(403);
    expect((await api.request('POST', `/j/${own.slug}/actions`, { body, headers: { cookie } })).status).toBe(204);
    const { body: contact } = await api.request('GET', `/v1/contacts/${own.contact_id}`, { token: team.token });
    expect(await responsesOf(own.id)).toMatchObject([
      {
        ...{ identity_proved: true, text: expect.any(String) },
        ...{ identity_facts_changed_at: contact.inserted_at, identity_facts_changed_by: team.clientId },
      },
    ]);

    // Also on a page that does not ask for it.
    const other = await journey(facts, partly);
    const proof = await prove(other, { page: privatePage.id });
    for (const headers of [{}, { cookie: proof }]) {
      const accepted = [{ ...signed, block_id: openPage.content_blocks[0]!.id }];
      const sent = { ...body, page_id: openPage.id, answers: accepted };
      await api.request('POST', `/j/${other.slug}/actions`, { body: sent, headers });
    }
    expect(await responsesOf(other.id)).toMatchObject([{ identity_proved: false }, { identity_proved: true }]);
  });
});

describe('GET /v1/journeys/:journey_id/responses', () => {
  test('is paged, oldest first, by a cursor of this journey and limit', async () => {
    const [own, other] = [await journey(), await journey()];
    for (let n = 0; n < 5; n++) await answer(own, [{ ...signed, typed_name: `Name ${n}` }]);
    const all = await responsesOf(own.id);
    const list = (query: string, id = own.id, token = team.token) =>
      api.request('GET', `/v1/journeys/${id}/responses?${query}`, { token });
    const first = await list('limit=2');
    const link = `<${api.baseUrl}/v1/journeys/${own.id}/responses?cursor=${first.body.next_cursor}>; rel="next"`;
    expect([first.body.has_more, first.headers.get('link')]).toEqual([true, link]);
    expect(first.body.next_cursor.length).toBeLessThanOrEqual(2000);
    const pages = [first];
    while (pages.at(-1)!.body.has_more) pages.push(await list(`cursor=${pages.at(-1)!.body.next_cursor}`));
    expect(pages.map(({ body }) => body.responses.length)).toEqual([2, 2, 1]);
    expect(pages.flatMap(({ body }) => body.responses)).toEqual(all);
    expect(pages.at(-1)!.body).not.toHaveProperty('next_cursor');
    expect((await list('limit=5')).body).toMatchObject({ responses: all, has_more: false });

    const cursor: string = first.body.next_cursor;
    const stranger = await api.newTeam();
    await putContent(api.database, stranger.teamId, { templates: [template] });
    const started = await api.request('POST', `/v1/templates/${template.id}/journeys`, {
      ...{ token: stranger.token, body: { contact: { unique_id: 'x' } } },
    });
    for (const refused of [
      ...['cursor=', `cursor=${cursor}A`, `limit=3&cursor=${cursor}`].map((query) => list(query)),
      list(`cursor=${cursor}`, other.id),
      list(`cursor=${cursor}`, started.body.id, stranger.token),
      api.request('GET', `/v1/batches?cursor=${cursor}`, { token: team.token }),
    ]) {
      expect((await refused).status).toBe(400);
    }
  });
});
