import { has, holds, keys, matches, same, timePattern, uuidPattern } from './expect.ts';
import type { Json } from './http.ts';
import { act } from './journeys.ts';
import { check, shortCheck } from './suite.ts';
import type { Team } from './world.ts';

const responses = async (team: Team, { id }: Json): Promise<Json[]> =>
  (await team.get(`/v1/journeys/${id}/responses`)).responses;
const answered = (team: Team, journey: Json, page: string, answer: object) =>
  act(team, journey, 'page_completed', page, { answers: [answer] });
const completedPages = async (team: Team, { contact }: Json) =>
  (await team.journeyOf(contact)).analytics_cache.pages_completed;

const fields = [
  ...['id', 'page_id', 'block_id', 'block_type', 'answer', 'typed_name', 'values', 'text', 'content_revision'],
  ...['identity_proved', 'identity_facts_changed_at', 'identity_facts_changed_by', 'at'],
];

shortCheck('Contract 6: what a person answers is kept: GET …/responses, oldest first', async (world) => {
  const { team, ids } = await world.content();
  const journey = await team.journey(ids.agreement, { birthdate: '1985-03-27' });
  const answer = (value: string, typed_name?: string) =>
    answered(team, journey, ids.agreementPage, { block_id: ids.agreementBlock, answer: value, typed_name });
  same(await responses(team, journey), [], 'responses at first');
  await answer('declined');
  same(await completedPages(team, journey), [], 'pages_completed, as declining completes nothing');
  await answer('accepted', 'Ada Lovelace');
  same(await completedPages(team, journey), [ids.agreementPage], 'pages_completed');
  const list = await responses(team, journey);
  same(
    list.map((each) => [each.answer, each.typed_name]),
    [
      ['declined', null],
      ['accepted', 'Ada Lovelace'],
    ],
    'answers',
  );
  keys(list[1], fields, 'a response');
  has(
    list[1],
    { page_id: ids.agreementPage, block_id: ids.agreementBlock, block_type: 'agreement', identity_proved: false },
    'a response',
  );
  matches(list[1].id, uuidPattern, 'id');
  matches(list[1].at, timePattern, 'at');
  matches(JSON.stringify(list[1].text), /I agree to the terms\./, 'text, which is what was shown');
  matches(list[1].identity_facts_changed_at, timePattern, 'identity_facts_changed_at');
  same(list[1].identity_facts_changed_by, team.credential.client_id, 'identity_facts_changed_by');
});

check('Contract 10: declining completes nothing, also beside an agreement that was accepted', async (world) => {
  const { team, ids } = await world.content();
  const journey = await team.journey(ids.agreements);
  const answer = (second: string) =>
    act(team, journey, 'page_completed', ids.agreementsPage, {
      answers: [
        { block_id: ids.firstAgreement, answer: 'accepted' },
        { block_id: ids.secondAgreement, answer: second },
      ],
    });
  await answer('declined');
  same(await completedPages(team, journey), [], 'pages_completed');
  same((await responses(team, journey)).map((each) => each.answer).sort(), ['accepted', 'declined'], 'the answers');
  await answer('accepted');
  same(await completedPages(team, journey), [ids.agreementsPage], 'pages_completed after both were accepted');
});

check(
  'Contract 6: question and options are stored as shown, never as the sender words them; a value not offered is 422',
  async (world) => {
    const { team, ids } = await world.content();
    const journey = await team.journey(ids.survey);
    const send = (status: number, values: object[]) =>
      team.open(status, `POST /j/${journey.slug}/actions`, {
        type: 'page_completed',
        page_id: ids.surveyPage,
        answers: [{ block_id: ids.surveyBlock, values }],
      });
    await send(422, [{ question: 'why', value: 'A boat' }]);
    same(await responses(team, journey), [], 'responses after a value that is not offered');
    const { body } = await send(422, [{ question: 'Do you owe us money?', value: 'Yes' }]);
    same(body.error, 'validation_failed', 'the error');
    same(await responses(team, journey), [], 'responses after a question that is not asked');
    await send(204, [{ question: 'why', value: 'A car' }]);
    const [response] = await responses(team, journey);
    matches(JSON.stringify(response.values), /Why did you come\?/, 'the question');
    matches(JSON.stringify(response.values), /A car/, 'the value');
  },
);

check(
  'Contract 6: a question is named by key, by its text in any language, or both; the value is an option’s text or key',
  async (world) => {
    const { team, ids } = await world.content();
    const journey = await team.journey(ids.translated);
    const send = (status: number, value: object, more: object = {}) =>
      team.open(status, `POST /j/${journey.slug}/actions`, {
        ...{ type: 'page_completed', page_id: ids.translatedPage, ...more },
        answers: [{ block_id: ids.translatedBlock, values: [value] }],
      });
    const english = ['Why did you come?', 'A car'];
    const spanish = ['¿Por qué?', 'Un coche'];
    const car = (await team.get(`/v1/templates/${ids.translated}/template_pages`))[0].page.content_blocks[0].data
      .questions[0].options[1];
    const key = typeof car === 'string' ? 'option_2' : car.key;
    const cases: [object, object, string[]][] = [
      [{ key: 'why', value: 'A car' }, {}, english],
      [{ question: '¿Por qué?', value: 'Un coche' }, {}, spanish],
      [{ key: 'why', question: 'Why did you come?', value: key }, {}, english],
      [{ key: 'why', value: key }, { language: 'es' }, spanish],
      [{ key: 'why', value: key }, { language: 'tlh' }, english],
    ];
    for (const [value, more] of cases) await send(204, value, more);
    same(
      (await responses(team, journey)).map(({ values: [{ question, value }] }) => [question, value]),
      cases.map(([, , stored]) => stored),
      'what is stored, in the language that the action names',
    );
    await send(422, { key: 'why', question: 'Anything else?', value: 'A car' });
    await send(422, { key: 'why', value: 'option_9' });
    for (const language of [5, {}, true]) await send(422, { key: 'why', value: key }, { language });
    same((await responses(team, journey)).length, cases.length, 'the number of responses');
  },
);

check('Contract 6: page_completed without answers completes the page whatever blocks it has', async (world) => {
  const { team, ids } = await world.content();
  for (const more of [{}, { answers: [] }]) {
    const journey = await team.journey(ids.agreements);
    await act(team, journey, 'page_completed', ids.agreementsPage, more);
    same(await completedPages(team, journey), [ids.agreementsPage], 'pages_completed');
    same(await responses(team, journey), [], 'responses');
  }
});

check(
  'Contract 6: a person has at most 50 answers to one block; a further one is 409 and recorded nowhere; limit and cursor',
  async (world) => {
    const { team, ids } = await world.content();
    const journey = await team.journey(ids.agreement);
    const names = Array.from({ length: 50 }, (_, at) => `Person ${at}`);
    const body = (typed_name: string) => ({
      type: 'page_completed',
      page_id: ids.agreementPage,
      answers: [{ block_id: ids.agreementBlock, answer: 'accepted', typed_name }],
    });
    for (const name of names) await team.open(204, `POST /j/${journey.slug}/actions`, body(name));
    const { body: conflict } = await team.open(409, `POST /j/${journey.slug}/actions`, body('Too many'));
    same(conflict.error, 'conflict', 'the error');
    same(
      (await responses(team, journey)).map(({ typed_name }) => typed_name),
      names,
      'the names, oldest first',
    );
    const page = await team.get(`/v1/journeys/${journey.id}/responses?limit=30`);
    same(page.responses.length, 30, 'a page of 30');
    const rest = await team.get(
      `/v1/journeys/${journey.id}/responses?limit=30&cursor=${encodeURIComponent(page.next_cursor)}`,
    );
    same(
      [...page.responses, ...rest.responses].map(({ typed_name }) => typed_name),
      names,
      'both pages',
    );
    for (const limit of ['0', '101'])
      await team.refuse(400, ['limit'], `GET /v1/journeys/${journey.id}/responses?limit=${limit}`);
    await team.refuse(400, ['cursor'], `GET /v1/journeys/${journey.id}/responses?cursor=x`);
  },
);

check('Contract 6: responses of an unknown journey, or of another team: 404', async (world) => {
  const [{ team, ids }, other] = [await world.content(), await world.other()];
  const { id } = await team.journey(ids.short);
  for (const each of [crypto.randomUUID(), 'x']) await team.call(404, `GET /v1/journeys/${each}/responses`);
  await other.team.call(404, `GET /v1/journeys/${id}/responses`);
});

check('Contract 2: without journeys:read a journey comes without slug and web_client_url', async (world) => {
  const { team, ids } = await world.content();
  const contact = await team.contact();
  const headers = await team.only('contacts:write', 'journeys:write');
  const made = await team.call(
    201,
    `POST /v1/templates/${ids.short}/journeys`,
    { contact: { id: contact.id } },
    headers,
  );
  keys(made.body, ['account_id', 'cancelled_at', 'id', 'template_id'], 'the answer to POST');
  const path = `PUT /v1/templates/${ids.short}/journeys/${made.body.id}` as const;
  const confirmed = await team.call(200, path, { is_completion_confirmed: true }, headers);
  holds(!('slug' in confirmed.body || 'web_client_url' in confirmed.body), 'PUT returns the slug');
  const cancelled = await team.call(200, `POST /v1/journeys/${made.body.id}/cancel`, undefined, headers);
  holds(!('slug' in cancelled.body || 'web_client_url' in cancelled.body), 'cancel returns the slug');
});

check(
  'Contract 2: without contacts:read the answer to a write holds id, unique_id, inserted_at, updated_at alone',
  async (world) => {
    const team = await world.team();
    const headers = await team.only('contacts:write', 'contacts:private');
    const own = ['id', 'unique_id', 'inserted_at', 'updated_at'];
    const sent = { birthdate: '1985-03-27', meta_private: { a: 1 } };
    const unique_id = `a-${crypto.randomUUID()}`;
    const made = (await team.call(201, 'POST /v1/contacts', { unique_id, ...sent }, headers)).body;
    keys(made, own, 'a created contact');
    keys((await team.call(200, 'POST /v1/contacts', { unique_id, ...sent }, headers)).body, own, 'an updated contact');
    for (const method of ['PUT', 'PATCH']) {
      keys(
        (await team.call(200, `${method} /v1/contacts/${made.id}`, { city: method }, headers)).body,
        own,
        `of ${method}`,
      );
    }
    const contacts = [{ unique_id, city: 'x' }, { unique_id: `${unique_id}-2` }];
    const { body } = await team.call(200, 'POST /v1/contacts', { contacts }, headers);
    keys(body.new_contacts[0], own, 'a contact in new_contacts');
    keys(body.existing_contacts[0], own, 'a contact in existing_contacts');
  },
);
