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
});

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
