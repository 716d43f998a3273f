import { has, holds, keys, matches, same, timePattern } from './expect.ts';
import { eventually, type Json } from './http.ts';
import { act } from './journeys.ts';
import { check, shortCheck } from './suite.ts';
import { newId, type Team } from './world.ts';

const answer = (team: Team, journey: Json, page_id: string, block_id: string, given: object) =>
  act(team, journey, 'page_completed', page_id, { answers: [{ block_id, ...given }] });
const why = (value: string) => ({ values: [{ question: 'why', value }] });
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

shortCheck(
  'Contract 13: GET …/results counts journeys, pages and answers; repeats count once, and the latest answer counts',
  async (world) => {
    const { team, ids } = await world.content();
    const [ann, bob, cem] = [
      await team.journey(ids.counted),
      await team.journey(ids.counted),
      await team.journey(ids.counted),
    ];
    for (const journey of [ann, ann, bob]) await act(team, journey, 'page_viewed', ids.countedView);
    const decide = (journey: Json, decision: string) =>
      answer(team, journey, ids.countedTerms, ids.countedTermsBlock, { answer: decision });
    await decide(ann, 'declined');
    await decide(ann, 'accepted');
    await decide(bob, 'declined');
    await decide(cem, 'accepted');
    await decide(cem, 'declined');
    const survey = (journey: Json, given: object) =>
      answer(team, journey, ids.countedSurvey, ids.countedSurveyBlock, given);
    await survey(ann, why('A home'));
    await survey(ann, {
      values: [
        { question: 'why', value: 'A car' },
        { question: 'Anything else?', value: 'No' },
      ],
    });
    // Answers in several languages are one answer.
    await survey(bob, why('Un coche'));
    await survey(cem, { values: [...why('A car').values, { question: 'Anything else?', value: 'Yes' }] });
    // A question that the latest answer leaves out no longer counts.
    await survey(cem, why('A home'));
    const confirm = { is_completion_confirmed: true };
    for (let time = 0; time < 2; time++) {
      await team.call(200, `PUT /v1/templates/${ids.counted}/journeys/${ann.id}`, confirm);
    }
    const results = await eventually(async () => {
      const found = await team.get(`/v1/templates/${ids.counted}/results`);
      const { by_source, ...journeys } = found.journeys;
      const counted = { created: 3, opened: 2, completed: 1, verified: 1, cancelled: 0, expired: 0 };
      same(journeys, counted, 'journeys');
      same(by_source, { api: 3 }, 'journeys by source');
      same(
        found.questions[0].answers.map(({ count }: Json) => count),
        [1, 2],
        'the numbers of answers',
      );
      return found;
    });
    same(results.targeted, 0, 'targeted');
    const own = ['template_id', 'journeys', 'targeted', 'messages', 'pages', 'questions', 'by_day', 'as_of'];
    keys(results, own, 'the results');
    same(results.template_id, ids.counted, 'template_id');
    same(
      results.pages,
      [
        { page_id: ids.countedView, name: 'Look', order: 1, viewed: 2, completed: 2, declined: 0 },
        { page_id: ids.countedTerms, name: null, order: 2, viewed: 0, completed: 1, declined: 2 },
        { page_id: ids.countedSurvey, name: null, order: 3, viewed: 0, completed: 3, declined: 0 },
      ],
      'pages',
    );
    const [asked, words, ...others] = results.questions;
    same(others, [], 'further questions');
    has(
      asked,
      { page_id: ids.countedSurvey, block_id: ids.countedSurveyBlock, key: 'why', question: 'Why did you come?' },
      'the question',
    );
    same(
      asked.answers.map(({ answer: text, count }: Json) => [text, count]),
      [
        ['A home', 1],
        ['A car', 2],
      ],
      'answers',
    );
    const optionKeys = asked.answers.map(({ key }: Json) => key);
    holds(
      optionKeys.every((key: unknown) => typeof key === 'string'),
      `the keys of options: ${optionKeys}`,
    );
    same(new Set(optionKeys).size, 2, 'the number of keys of two options');
    has(words, { question: 'Anything else?', answers: [{ key: null, answer: null, count: 1 }] }, 'typed texts');
    const sum = (name: string) => results.by_day.reduce((total: number, day: Json) => total + day[name], 0);
    same([sum('created'), sum('opened'), sum('completed')], [3, 2, 1], 'the sums of by_day');
    for (const day of results.by_day) {
      keys(day, ['date', 'created', 'opened', 'completed'], 'a day');
      matches(day.date, /^\d{4}-\d\d-\d\d$/, 'date');
    }
    matches(results.as_of, timePattern, 'as_of');
  },
);

check('Contract 13: an answer keeps the keys of its question and option, the same in every language', async (world) => {
  const { team, ids } = await world.content();
  const keysOf = async (value: string) => {
    const journey = await team.journey(ids.translated);
    await answer(team, journey, ids.translatedPage, ids.translatedBlock, why(value));
    const { responses } = await team.get(`/v1/journeys/${journey.id}/responses`);
    const { value: shown, question, ...named } = responses[0].values[0];
    same(shown, value, 'the value');
    return named;
  };
  same(await keysOf('A home'), await keysOf('Una casa'), 'the keys of an answer in two languages');
  same((await keysOf('A car')).key, 'why', 'the key of the question');
});

check('Contract 13: the results of an unknown template, or of another team, are 404', async (world) => {
  const { team } = await world.content();
  const { ids: foreign } = await world.other();
  for (const id of [foreign.counted, '00000000-0000-4000-8000-000000000000', 'none']) {
    await team.call(404, `GET /v1/templates/${id}/results`);
    await team.call(404, `GET /v1/templates/${id}/responses`);
    if (id === 'none') continue;
    const { journeys } = await team.get(`/v1/journeys?template_id=${id}`);
    same(journeys, [], 'the journeys of an unknown template');
  }
});

check(
  'Contract 13: GET /v1/journeys?template_id= lists by updated_at, oldest first, with limit, cursor and updated_since',
  async (world) => {
    const { team, ids } = await world.content();
    const journeys: Json[] = [];
    for (let n = 0; n < 5; n++) {
      journeys.push(await team.journey(ids.listed));
      await pause();
    }
    const [first, ...others] = journeys as [Json, ...Json[]];
    await act(team, first, 'page_viewed', ids.listedPage);
    const expected = [...others, first].map(({ id }) => id);
    const path = `/v1/journeys?template_id=${ids.listed}` as const;
    await eventually(async () => {
      const { journeys: found } = await team.get(path);
      same(
        found.map(({ id }: Json) => id),
        expected,
        'the order',
      );
      // A view that completes the journey moves `updated_at` twice. The list of the template follows a moment later.
      const [own] = await team.get(`/v1/journeys?contact_id=${first.contact.id}`);
      same(found.at(-1).updated_at, own.updated_at, 'the last updated_at');
    });
    const pages: Json[] = [await team.get(`${path}&limit=2`)];
    while (pages.at(-1).has_more) {
      pages.push(await team.get(`${path}&limit=2&cursor=${encodeURIComponent(pages.at(-1).next_cursor)}`));
    }
    same(
      pages.map((page) => page.journeys.length),
      [2, 2, 1],
      'the sizes of the pages',
    );
    const listed = pages.flatMap((page) => page.journeys);
    same(
      listed.map(({ id }) => id),
      expected,
      'the journeys of all pages',
    );
    const times = listed.map(({ updated_at }) => updated_at);
    same(times, [...times].sort(), 'updated_at');
    const [own] = await team.get(`/v1/journeys?contact_id=${first.contact.id}`);
    const { contact, template, ...same_ } = listed.at(-1);
    const { contact: _, template: __, ...asElsewhere } = own;
    same(same_, asElsewhere, 'a journey beside that of the list of its contact');
    same(contact, { id: first.contact.id, unique_id: first.contact.unique_id }, 'contact');
    same(template, { id: ids.listed, name: 'Listed' }, 'template');
    const since = await team.get(`${path}&updated_since=${times.at(-1)}`);
    same(
      since.journeys.map(({ id }: Json) => id),
      [first.id],
      'the journeys since the last time',
    );
    same(since.has_more, false, 'has_more');
  },
);

check('Contract 13: with contact_id and template_id the journeys of both, as a bare array', async (world) => {
  const { team, ids } = await world.content();
  const { contact, id } = await team.journey(ids.short);
  await team.call(201, `POST /v1/templates/${ids.survey}/journeys`, { contact: { id: contact.id } });
  const found = await team.get(`/v1/journeys?contact_id=${contact.id}&template_id=${ids.short}`);
  holds(Array.isArray(found), 'it is no array');
  same(
    found.map((each: Json) => each.id),
    [id],
    'the journeys',
  );
  same(await team.get(`/v1/journeys?contact_id=${contact.id}&template_id=${ids.listed}`), [], 'of another template');
});

check('Contract 13 and 3: a limit outside 1–100, a foreign cursor and a time that is none are 400', async (world) => {
  const { team, ids } = await world.content();
  const { team: stranger } = await world.other();
  for (let n = 0; n < 2; n++) await team.journey(ids.short);
  const path = `/v1/journeys?template_id=${ids.short}` as const;
  for (const limit of [0, 101, 'x', '1.5']) await team.refuse(400, ['limit'], `GET ${path}&limit=${limit}`);
  await team.refuse(400, ['updated_since'], `GET ${path}&updated_since=yesterday`);
  await team.refuse(400, ['cursor'], `GET ${path}&cursor=mine`);
  const page = await eventually(async () => {
    const found = await team.get(`${path}&limit=1`);
    holds(found.has_more, 'has_more is false');
    return found;
  });
  const cursor = encodeURIComponent(page.next_cursor);
  await team.call(400, `GET /v1/journeys?template_id=${ids.survey}&cursor=${cursor}`);
  await stranger.call(400, `GET /v1/journeys?cursor=${cursor}`);
  const responses = `/v1/templates/${ids.survey}/responses` as const;
  await team.refuse(400, ['limit', 'since'], `GET ${responses}?limit=0&since=today`);
  await team.call(400, `GET ${responses}?cursor=${cursor}`);
});

shortCheck(
  'Contract 13: GET …/responses lists the answers of all, oldest first, each with journey_id and contact',
  async (world) => {
    const { team, ids } = await world.content();
    const [ann, bob] = [await team.journey(ids.answered), await team.journey(ids.answered)];
    await answer(team, ann, ids.answeredTerms, ids.answeredTermsBlock, { answer: 'declined' });
    await pause();
    await answer(team, bob, ids.answeredSurvey, ids.answeredSurveyBlock, why('A car'));
    await pause();
    await answer(team, ann, ids.answeredTerms, ids.answeredTermsBlock, { answer: 'accepted' });
    const path = `/v1/templates/${ids.answered}/responses` as const;
    const all = await eventually(async () => {
      const { responses } = await team.get(path);
      same(responses.length, 3, 'the number of responses');
      return responses as Json[];
    });
    const [first, second, third] = all as [Json, Json, Json];
    same(
      all.map(({ journey_id }) => journey_id),
      [ann.id, bob.id, ann.id],
      'journey_id',
    );
    same(second.contact, { id: bob.contact.id, unique_id: bob.contact.unique_id }, 'contact');
    same([first.answer, third.answer], ['declined', 'accepted'], 'answers');
    const { journey_id, contact, ...rest } = second;
    const { responses: own } = await team.get(`/v1/journeys/${bob.id}/responses`);
    same(rest, own[0], 'a response beside that of its journey');
    const page = await team.get(`${path}?limit=2`);
    same([page.responses.length, page.has_more], [2, true], 'a page of two');
    const next = await team.get(`${path}?cursor=${encodeURIComponent(page.next_cursor)}`);
    same([next.responses.map(({ id }: Json) => id), next.has_more], [[third.id], false], 'the next page');
    const since = await team.get(`${path}?since=${third.at}`);
    same(
      since.responses.map(({ id }: Json) => id),
      [third.id],
      'the responses since the last time',
    );
  },
);

check('Contract 13: template results|journeys|responses of the administrator', async (world) => {
  const { team, ids } = await world.content();
  const unique_id = newId();
  const contact = (await team.call(201, 'POST /v1/contacts', { unique_id })).body;
  const { body: started } = await team.call(201, `POST /v1/templates/${ids.survey}/journeys`, {
    contact: { id: contact.id },
  });
  const of = ['--team', team.credential.team_id!, '--template', ids.survey];
  const results = await world.admin(['template', 'results', ...of]);
  same(results.template_id, ids.survey, 'template_id');
  const journeys = await eventually(async () => {
    const found: Json[] = await world.admin(['template', 'journeys', ...of]);
    holds(
      found.some((each) => each.contact.unique_id === unique_id),
      'the journey is not listed',
    );
    return found;
  });
  const own = journeys.find((each) => each.contact.unique_id === unique_id);
  same(own.web_client_url, started.web_client_url, 'web_client_url');
  holds(Array.isArray(await world.admin(['template', 'responses', ...of])), 'the responses are no array');
  const byName = await world.admin(['template', 'results', '--team', of[1]!, '--template', 'Survey']);
  same(byName.template_id, ids.survey, 'the template with this name');
});
