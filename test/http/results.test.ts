import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { resultsCampaign, until } from '../support/campaign-results.ts';
import { service, type TestService, type TestTeam } from '../support/service.ts';

let api: TestService;
let team: TestTeam;
beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
});

describe('GET /v1/templates/:id/results', () => {
  test('counts what people did, whatever they repeated, and in all languages', async () => {
    const campaign = await resultsCampaign(api, team);
    const { pages, blocks, templateId } = campaign;
    const [ann, bob, cem] = [await campaign.start(), await campaign.start(), await campaign.start()];
    await Promise.all([ann.view('view'), ann.view('view'), bob.view('view')]);
    await ann.decide('declined');
    await ann.decide('accepted');
    await bob.decide('declined');
    await ann.answer({ 'How?': 'Badly', 'Why?': 'Because' });
    await ann.answer({ 'How?': 'Well', 'Why?': 'Because' });
    await bob.answer({ '¿Cómo?': 'Bien', '¿Por qué?': 'Sí' });
    await cem.answer({ how: 'Mal' });
    await ann.confirm();
    await ann.confirm();
    const found = await campaign.settled(
      ({ journeys, questions }) => journeys.verified === 1 && questions[0].answers[1].count === 1,
    );
    expect(found).toEqual({
      template_id: templateId,
      journeys: { created: 3, opened: 2, completed: 1, verified: 1 },
      pages: [
        { page_id: pages.view, name: 'Welcome', order: 1, viewed: 2, completed: 2, declined: 0 },
        { page_id: pages.consent, name: 'Consent', order: 2, viewed: 0, completed: 1, declined: 1 },
        { page_id: pages.survey, name: 'Survey', order: 3, viewed: 0, completed: 3, declined: 0 },
      ],
      questions: [
        {
          ...{ page_id: pages.survey, block_id: blocks.survey, key: 'how', question: 'How?' },
          answers: [
            { key: 'option_1', answer: 'Well', count: 2 },
            { key: 'bad', answer: 'Badly', count: 1 },
          ],
        },
        {
          ...{ page_id: pages.survey, block_id: blocks.survey, key: 'question_2', question: 'Why?' },
          answers: [{ key: null, answer: null, count: 2 }],
        },
      ],
      by_day: expect.any(Array),
      as_of: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    });
    const total = (name: string) =>
      found.by_day.reduce((sum: number, day: Record<string, number>) => sum + day[name]!, 0);
    expect([total('created'), total('opened'), total('completed')]).toEqual([3, 2, 1]);
    expect(found.by_day[0].date).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  test('keeps what the campaign no longer has, and the answers of moved options', async () => {
    const campaign = await resultsCampaign(api, team);
    const ann = await campaign.start();
    await ann.view('view');
    await ann.answer({ 'How?': 'Well', 'Why?': 'Because' });
    await campaign.settled(({ questions }) => questions[1].answers[0].count === 1);
    const [, consent, survey] = structuredClone(campaign.template.template_pages);
    const { page } = survey as { page: { content_blocks: { data: { questions: object[] } }[] } };
    const options = ['Somehow', 'Well', { text: 'Badly', key: 'bad' }];
    page.content_blocks[0]!.data.questions = [{ text: 'How?', key: 'how', options }];
    await campaign.put({ template_pages: [consent, survey] });
    const { pages, questions } = await until(
      campaign.results,
      (found) => found.pages[2]?.name === null,
      'no new content',
    );
    expect(pages.map(({ name, viewed }: { name: string; viewed: number }) => [name, viewed])).toEqual([
      ['Consent', 0],
      ['Survey', 0],
      [null, 1],
    ]);
    expect(
      questions.map(({ question, answers }: { question: string; answers: object[] }) => [question, answers]),
    ).toEqual([
      [
        'How?',
        [
          { key: 'option_2', answer: 'Somehow', count: 0 },
          { key: 'option_1', answer: 'Well', count: 1 },
          { key: 'bad', answer: 'Badly', count: 0 },
        ],
      ],
      [null, [{ key: null, answer: null, count: 1 }]],
    ]);
  });

  test('is 404 for a template of another team, and for what is no template', async () => {
    const campaign = await resultsCampaign(api, await api.newTeam());
    for (const id of [campaign.templateId, randomUUID(), 'none']) {
      for (const list of ['results', 'responses']) {
        const { status, body } = await api.request('GET', `/v1/templates/${id}/${list}`, { token: team.token });
        expect([status, body.error]).toEqual([404, 'not_found']);
      }
    }
  });
});

describe('GET /v1/journeys?template_id=', () => {
  const idsOf = (lists: { journeys: { id: string }[] }[]) =>
    lists.flatMap(({ journeys }) => journeys.map(({ id }) => id));

  test('lists the journeys of the template by their last change, in pages', async () => {
    const campaign = await resultsCampaign(api, team);
    const people = [];
    for (let n = 0; n < 7; n++) people.push(await campaign.start());
    const [first, ...others] = people;
    await first!.view('view');
    await campaign.settled(({ journeys }) => journeys.opened === 1);
    const path = `/v1/journeys?template_id=${campaign.templateId}`;
    const lists = await campaign.pagesOf(`${path}&limit=3`);
    expect(lists.map(({ journeys, has_more }) => [journeys.length, has_more])).toEqual([
      [3, true],
      [3, true],
      [1, false],
    ]);
    expect(lists.map(({ next_cursor }) => typeof next_cursor)).toEqual(['string', 'string', 'undefined']);
    expect(idsOf(lists)).toEqual([...others, first!].map(({ id }) => id));
    const [listed] = lists[2].journeys;
    const contact = (await campaign.get(`/v1/contacts?unique_id=${first!.unique_id}`)).body.contacts[0];
    const [own] = (await campaign.get(`/v1/journeys?contact_id=${contact.id}`)).body;
    expect(listed).toEqual({
      ...own,
      contact: { id: contact.id, unique_id: first!.unique_id },
      template: { id: campaign.templateId, name: 'Results' },
    });
    expect(listed.analytics_cache).toMatchObject({
      is_completed: false,
      pages_viewed: [campaign.pages.view],
      pages_completed: [campaign.pages.view],
    });
    const since = await campaign.pagesOf(`${path}&updated_since=${listed.updated_at}`);
    expect(idsOf(since)).toEqual([first!.id]);
    expect((await campaign.get(`${path}&updated_since=`)).body.journeys).toHaveLength(7);
  });

  test('with both parameters returns the journeys of the contact of the template, as an array', async () => {
    const [one, other] = [await resultsCampaign(api, team), await resultsCampaign(api, team)];
    await one.put();
    const person = await one.start();
    const { body } = await one.get(`/v1/contacts?unique_id=${person.unique_id}`);
    const contact_id = body.contacts[0].id;
    const both = await one.get(`/v1/journeys?contact_id=${contact_id}&template_id=${one.templateId}`);
    expect(both.body).toMatchObject([
      { id: person.id, contact: { id: contact_id, name_first: null }, template: { id: one.templateId } },
    ]);
    expect((await one.get(`/v1/journeys?contact_id=${contact_id}&template_id=${other.templateId}`)).body).toEqual([]);
  });

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

describe('GET /v1/templates/:id/responses', () => {
  test('lists what all people answered, oldest first, in pages', async () => {
    const campaign = await resultsCampaign(api, team);
    const [ann, bob] = [await campaign.start(), await campaign.start()];
    await ann.decide('declined');
    await bob.answer({ 'How?': 'Well', 'Why?': 'Because' });
    await ann.decide('accepted');
    const path = `/v1/templates/${campaign.templateId}/responses`;
    const lists = await campaign.pagesOf(`${path}?limit=2`);
    expect(lists.map(({ responses, has_more }) => [responses.length, has_more])).toEqual([
      [2, true],
      [1, false],
    ]);
    const all = lists.flatMap(({ responses }) => responses);
    expect(all.map(({ contact, answer }) => [contact.unique_id, answer])).toEqual([
      [ann.unique_id, 'declined'],
      [bob.unique_id, null],
      [ann.unique_id, 'accepted'],
    ]);
    expect(Object.keys(all[1].contact)).toEqual(['id', 'unique_id']);
    const own = (await campaign.get(`/v1/journeys/${bob.id}/responses`)).body.responses;
    const { journey_id, contact: _, ...same } = all[1];
    expect([journey_id, same]).toEqual([bob.id, own[0]]);
    expect(same.values).toEqual([
      { key: 'how', question: 'How?', option_key: 'option_1', value: 'Well' },
      { key: 'question_2', question: 'Why?', value: 'Because' },
    ]);
    const later = await campaign.pagesOf(`${path}?since=${all[2].at}`);
    expect(later.flatMap(({ responses }) => responses.map(({ id }: { id: string }) => id))).toEqual([all[2].id]);
    expect((await campaign.get(`${path}?since=x&limit=0`)).body.details).toHaveLength(2);
    const other = await resultsCampaign(api, team);
    const { next_cursor } = lists[0];
    const elsewhere = `/v1/templates/${other.templateId}/responses?cursor=${encodeURIComponent(next_cursor)}`;
    expect((await campaign.get(elsewhere)).status).toBe(400);
  });
});
