import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { catalogues } from '../../../lib/web/words/words.ts';
import { putContent } from '../../support/operations/content.ts';
import { embedding, type Person, pageFor } from '../../support/service/channels.ts';
import { campaign, testPage } from '../../support/service/journeys.ts';
import { service } from '../../support/service/service.ts';

/** A form as a browser reads it. */
type Form = {
  /** Hidden fields. */
  fixed: [name: string, value: string][];
  /** Names of the fields in which the person types. */
  texts: string[];
  /** The values of each group of radio buttons. */
  choices: Map<string, string[]>;
};

const decoded = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const attribute = (tag: string, name: string): string => decoded(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '');

/** The forms with which the page is completed, in their order. */
const formsIn = (html: string): Form[] =>
  [...html.matchAll(/<form class="completion".*?<\/form>/gs)].map(([form]) => {
    const fields = [...form.matchAll(/<(?:input|textarea)\b[^>]*>/g)].map(([tag]) => ({
      ...{ type: attribute(tag, 'type') || 'textarea', name: attribute(tag, 'name'), value: attribute(tag, 'value') },
    }));
    const choices = Map.groupBy(
      fields.filter(({ type }) => type === 'radio'),
      ({ name }) => name,
    );
    return {
      fixed: fields.filter(({ type }) => type === 'hidden').map(({ name, value }) => [name, value]),
      texts: fields.filter(({ type }) => type === 'text' || type === 'textarea').map(({ name }) => name),
      choices: new Map([...choices].map(([name, each]) => [name, each.map(({ value }) => value)])),
    };
  });

const api = await service();
const team = await api.newTeam();

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

describe('the forms of a page, sent as a browser sends them,', () => {
  const [form, agreement, signature, confirmation] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const questions = [
    'Anything else?',
    {
      text: 'Which one?',
      options: ['Savings', 'Other', 'A "quoted" & <odd> one', 7, { label: 'Call {{name_first}}' }],
    },
    { question: 'How easy,\r{{name_first}}?', scale: [0, 10], required: true },
    { label: 'Which one?', choices: [{ text: 'Yes' }, { text: 'No' }], key: 'again' },
    { heading: '__proto__', answers: ['constructor', '\u00a0padded '] },
  ];
  const texts = {
    es: {
      'Anything else?': '¿Algo más?',
      'Which one?': '¿Cuál?',
      Savings: 'Ahorros',
      Yes: 'Sí',
      'I agree.': 'Acepto.',
    },
    ar: { 'How easy,\r{{name_first}}?': 'ما مدى السهولة يا {{name_first}}؟', Savings: 'مدخرات', No: 'لا' },
  };
  const content_blocks = [
    { id: form, type: 'survey', data: { questions } },
    { id: agreement, type: 'agreement', data: { agreementText: 'I agree.', disagreeText: 'No' } },
    { id: signature, type: 'agreement', data: { agreementText: 'I agree.', signatureBoxText: 'Your name' } },
    { id: confirmation, type: 'confirmation', data: { text: 'Yes' } },
  ];
  const asking = { id: randomUUID(), completion_condition: 'confirm', content_blocks };
  const own = {
    id: randomUUID(),
    name: 'Forms',
    language: 'en',
    translations: texts,
    template_pages: [{ page: asking }],
  };
  beforeAll(() => putContent(api.database, team.teamId, { templates: [own] }));

  test.each([
    ['en', 'es', ['Anything else?', 'Savings', 'Call Jana', 'How easy,\n{{name}}?', 'Yes', 'I agree.']],
    ['es', 'en', ['¿Algo más?', 'Ahorros', 'Call Jana', 'How easy,\n{{name}}?', 'Sí', 'Acepto.']],
    ['ar', 'es', ['Anything else?', 'مدخرات', 'Call Jana', 'ما مدى السهولة يا {{name}}؟', 'Yes', 'I agree.']],
  ])('offer values that are all accepted, shown in %s and sent in %s', async (shown, sent, words) => {
    const contact = { unique_id: randomUUID(), name_first: 'Jana' };
    const started = await api.request('POST', `/v1/templates/${own.id}/journeys`, {
      ...{ token: team.token, body: { contact } },
    });
    const path = `/j/${started.body.slug}`;
    const html = (await api.request('GET', path, { headers: { 'accept-language': shown } })).body as string;
    const expected: unknown[] = [];
    for (const { fixed, choices, texts: typed } of formsIn(html)) {
      const most = Math.max(1, ...[...choices.values()].map(({ length }) => length));
      for (let n = 0; n < most; n++) {
        const chosen = [...choices].map(([name, values]) => [name, values[n % values.length]!] as const);
        const written = typed.map((name) => [name, 'Jana\nNovotna'] as const);
        // Browsers send line breaks as CRLF.
        const fields = [...fixed, ...chosen, ...written].map((pair) =>
          pair.map((part) => part.replace(/\r\n?|\n/g, '\r\n')),
        );
        const { status } = await api.request('POST', `${path}/actions`, {
          body: new URLSearchParams(fields as [string, string][]).toString(),
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            accept: 'text/html',
            'accept-language': sent,
          },
        });
        expect([status, fields]).toEqual([303, fields]);
        expected.push(...chosen.map(([, value]) => value));
      }
    }
    const { body } = await api.request('GET', `/v1/journeys/${started.body.id}/responses`, { token: team.token });
    const kept: { block_id: string; text: string; values: { question: string; value: string }[] }[] = body.responses;
    // Eleven steps of the scale, two decisions, a signature and a confirmation.
    expect(kept.map(({ block_id }) => block_id)).toEqual([
      ...Array(11).fill(form),
      agreement,
      agreement,
      signature,
      confirmation,
    ]);
    expect(kept.slice(11, 14).map(({ text }) => text)).toEqual([words[5], words[5], `${words[5]}\n\nYour name`]);
    const values = kept.flatMap(({ values: given }) => given);
    expect(values.map(({ value }) => value)).toEqual(expect.arrayContaining(expected));
    expect(values).toHaveLength(55);
    const asked = words[3]!.replace('{{name}}', 'Jana');
    expect(values.map(({ question, value }) => `${question.replaceAll('\r', '\n')}: ${value}`)).toEqual(
      expect.arrayContaining([`${asked}: 10`, `${asked}: 0`]),
    );
    for (const word of [words[1]!, words[2]!, words[4]!]) expect(values.map(({ value }) => value)).toContain(word);
    expect(values.map(({ question }) => question)).toContain(words[0]);
  });

  test('without scripts or a language, answers of any language are stored as the content words them', async () => {
    const started = await api.request('POST', `/v1/templates/${own.id}/journeys`, {
      ...{ token: team.token, body: { contact: { unique_id: randomUUID(), name_first: 'Jana' } } },
    });
    const send = (values: object[]) =>
      api.request('POST', `/j/${started.body.slug}/actions`, {
        body: { type: 'page_completed', page_id: asking.id, answers: [{ block_id: form, values }] },
      });
    const easy = { question: 'How easy,\n{{name_first}}?'.replace('{{name_first}}', 'Jana'), value: '3' };
    expect((await send([{ question: '¿Cuál?', value: 'Ahorros' }, easy])).status).toBe(204);
    expect((await send([{ key: 'again', value: 'Sí' }, easy])).status).toBe(204);
    expect(
      (
        await send([
          { question: '¿Cuál?', value: 'Savings' },
          { ...easy, question: 'question_3' },
        ])
      ).status,
    ).toBe(204);
    const refused = await send([easy, { question: '¿Cuál?', value: 'Pensión' }]);
    expect([refused.status, refused.body.details]).toMatchObject([422, [{ path: '/answers/0/values/1/question' }]]);
    const { body } = await api.request('GET', `/v1/journeys/${started.body.id}/responses`, { token: team.token });
    expect(body.responses.map((each: { values: object[] }) => each.values[0])).toEqual([
      { key: 'question_2', question: '¿Cuál?', option_key: 'option_1', value: 'Ahorros' },
      { key: 'again', question: '¿Cuál? (2)', option_key: 'option_1', value: 'Sí' },
      // In texts of two languages it is in the language of the page.
      { key: 'question_2', question: 'Which one?', option_key: 'option_1', value: 'Savings' },
    ]);
  });

  const which = { key: 'question_2', value: 'option_1' };
  test.each<[string, object, object, unknown]>([
    ['by keys, in the language that is named', { language: 'es' }, which, ['¿Cuál?', 'Ahorros']],
    ['by keys, in a tag of that language', { language: 'ES-mx' }, which, ['¿Cuál?', 'Ahorros']],
    [
      'by keys, in the language of the template if another is named',
      { language: 'tlh' },
      which,
      ['Which one?', 'Savings'],
    ],
    ['by keys, in the language of the browser if none is named', {}, which, ['Which one?', 'مدخرات']],
    ['by key and text', {}, { ...which, question: '¿Cuál?', value: 'Savings' }, ['Which one?', 'مدخرات']],
    ['with a key and the text of another question', {}, { ...which, question: 'Anything else?' }, 'question'],
    ['with a key and the key of another question', {}, { ...which, question: 'again' }, 'question'],
    ['with a value that is no option', {}, { ...which, value: 'option_9' }, 'value'],
    ['in a language that is no text', { language: 5 }, which, 'language'],
    ['in a language that is null', { language: null }, which, 'language'],
  ])('answers are stored or refused %s', async (_, more, value, expected) => {
    const started = await api.request('POST', `/v1/templates/${own.id}/journeys`, {
      ...{ token: team.token, body: { contact: { unique_id: randomUUID() } } },
    });
    const answers = [{ block_id: form, values: [value, { key: 'question_3', value: '3' }] }];
    const { status, body } = await api.request('POST', `/j/${started.body.slug}/actions`, {
      body: { type: 'page_completed', page_id: asking.id, answers, ...more },
      headers: { 'accept-language': 'ar' },
    });
    const kept = await api.request('GET', `/v1/journeys/${started.body.id}/responses`, { token: team.token });
    const found = kept.body.responses.map((each: { values: { question: string; value: string }[] }) => {
      const [first] = each.values;
      return [first!.question, first!.value];
    });
    if (typeof expected === 'string') {
      const path = expected === 'language' ? '/language' : `/answers/0/values/0/${expected}`;
      expect([status, body.details[0].path, found]).toEqual([422, path, []]);
    } else expect([status, found]).toEqual([204, [expected]]);
  });
});

test('an answer in a channel is stored in the language in which its content was shown', async () => {
  const questions = [{ text: 'Which one?', options: ['Savings', 'Other'] }];
  const container = { content_blocks: [{ id: randomUUID(), type: 'survey', data: { questions } }] };
  const template = { language: 'en', translations: { es: { 'Which one?': '¿Cuál?', Savings: 'Ahorros' } } };
  const own = await embedding(api, (channel) => [pageFor(channel, 'confirm', { container })], {}, template);
  const { contactId, path } = await own.person();
  const html = (await api.request('GET', path, { headers: { 'accept-language': 'es' } })).body as string;
  const [{ fixed, choices }] = formsIn(html) as [ReturnType<typeof formsIn>[number]];
  expect([...choices]).toEqual([['value:¿Cuál?', ['Ahorros', 'Other']]]);
  const [{ id }] = (await api.request('GET', `/v1/journeys?contact_id=${contactId}`, { token: own.token })).body;
  for (const fields of [fixed, fixed.filter(([name]) => name !== 'language')]) {
    const { status } = await api.request('POST', `${path}/actions`, {
      body: new URLSearchParams([...fields, ['value:¿Cuál?', 'Ahorros']]).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en' },
    });
    expect(status).toBe(303);
  }
  const { body } = await api.request('GET', `/v1/journeys/${id}/responses`, { token: own.token });
  const kept = { text: '¿Cuál?', values: [{ question: '¿Cuál?', value: 'Ahorros' }] };
  expect(body.responses).toMatchObject([kept, kept]);
});

test('the form that changes the answers has them chosen by key, in every language and under other texts', async () => {
  const [template, page, block] = [randomUUID(), randomUUID(), randomUUID()];
  const put = (purpose: string, home: string) => {
    const questions = [
      { key: 'purpose', text: purpose, options: [{ key: 'home', text: home }, 'A trip'] },
      { key: 'own', text: 'Own?', multiple: true, options: ['Car', 'Boat', 'Bike'] },
      { key: 'ease', text: 'How easy?', scale: [1, 3] },
    ];
    const content_blocks = [{ id: block, type: 'survey', data: { questions } }];
    const translations = { es: { 'What for?': '¿Para qué?', 'A home': 'Una casa', Car: 'Coche', Bike: 'Bici' } };
    const template_pages = [{ order: 1, page: { id: page, completion_condition: 'confirm', content_blocks } }];
    const templates = [{ id: template, name: 'Preset', language: 'en', translations, template_pages }];
    return putContent(api.database, team.teamId, { templates });
  };
  await put('What for?', 'A home');
  const body = { contact: { unique_id: randomUUID() } };
  const started = await api.request('POST', `/v1/templates/${template}/journeys`, { token: team.token, body });
  const url = `/j/${started.body.slug}`;
  const values = Object.entries({ purpose: 'A home', ease: '3' }).map(([key, value]) => ({ key, value }));
  const owned = ['Car', 'Bike'].map((value) => ({ key: 'own', value }));
  const answers = [{ block_id: block, values: [...values, ...owned] }];
  await api.request('POST', `${url}/actions`, { body: { type: 'page_completed', page_id: page, answers } });
  const chosen = async (headers = {}) => {
    const { body: html } = await api.request('GET', `${url}?page=${page}`, { headers });
    return [...html.matchAll(/ value="([^"]*)" checked/g)].map(([, value]) => value);
  };
  expect(await chosen()).toEqual(['A home', 'Car', 'Bike', '3']);
  expect(await chosen({ 'accept-language': 'es' })).toEqual(['Una casa', 'Coche', 'Bici', '3']);
  await put('What is it for?', 'A house');
  await expect.poll(chosen).toEqual(['A house', 'Car', 'Bike', '3']);
});

const questions = [
  {
    key: 'colors',
    text: 'Colors?',
    multiple: true,
    min: 2,
    max: 3,
    required: true,
    options: ['Red', 'Green', 'Blue', 'Gray'],
  },
  { key: 'age', text: 'Age?', type: 'number' },
  { key: 'day', text: 'Day?', type: 'date' },
];
const bank = await embedding(api, () => [
  pageFor('', 'confirm', { content_blocks: [{ type: 'survey', data: { questions } }] }),
]);
const [page] = bank.pages.map(({ id }) => id);
const { token } = bank;

async function journeyOf(person: Person) {
  const { body } = await api.request('GET', `/v1/journeys?contact_id=${person.contactId}`, { token });
  const [{ id, slug }] = body;
  const shown = async () => (await api.request('GET', `/j/${slug}?page=${page}`)).body as string;
  const [, block_id = ''] = (await shown()).match(/name="block_id" value="([^"]+)"/)!;
  const send = (fields: [string, string][]) =>
    api.request('POST', `/j/${slug}/actions`, {
      body: new URLSearchParams([
        ['type', 'page_completed'],
        ['page_id', page!],
        ['block_id', block_id],
        ...fields,
      ]).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    });
  const responses = async () => (await api.request('GET', `/v1/journeys/${id}/responses`, { token })).body.responses;
  return { shown, send, responses };
}

test('the page offers them with what browsers have for it, and says how many', async () => {
  const { shown } = await journeyOf(await bank.person());
  const html = await shown();
  expect(html.match(/<input type="checkbox"/g)).toHaveLength(4);
  expect(html).toContain('name="value[1]:Colors?"');
  expect(html).toContain('Choose 2 to 3.');
  expect(html).toMatch(/<input type="number"[^>]* name="value:Age\?"/);
  expect(html).toMatch(/<input type="date"[^>]* name="value:Day\?"/);
});

test('the page says how many options may be chosen only if they are limited', async () => {
  const options = ['Red', 'Green', 'Blue'];
  const shown = async (limits: object) => {
    const data = { questions: [{ text: 'Colors?', multiple: true, options, required: true, ...limits }] };
    const block = { id: crypto.randomUUID(), type: 'survey', data };
    const { slug } = await (await campaign(api, [testPage('confirm', { content_blocks: [block] })])).start();
    return (await api.request('GET', `/j/${slug}`)).body as string;
  };
  expect(await shown({})).not.toContain('Choose');
  expect(await shown({ max: 2 })).toContain('Choose up to 2.');
  expect(await shown({ min: 2, max: 2 })).toContain('Choose 2.');
});

test('the answers are stored by the keys of their options, and shown', async () => {
  const { shown, send, responses } = await journeyOf(await bank.person());
  const answers: [string, string][] = [
    ['value[0]:Colors?', 'Red'],
    ['value[2]:Colors?', 'Blue'],
    ['value:Age?', '41'],
    ['value:Day?', '2026-02-28'],
  ];
  expect(await send(answers)).toMatchObject({ status: 303 });
  const [{ values }] = await responses();
  expect(values).toEqual([
    { key: 'colors', question: 'Colors?', option_key: 'option_1', value: 'Red' },
    { key: 'colors', question: 'Colors?', option_key: 'option_3', value: 'Blue' },
    { key: 'age', question: 'Age?', value: '41' },
    { key: 'day', question: 'Day?', value: '2026-02-28' },
  ]);
  const html = await shown();
  expect(html.match(/<dt>Colors\?<\/dt>/g)).toHaveLength(1);
  expect(html).toContain('<dt>Day?</dt><dd>February 28, 2026</dd>');
  expect(html.match(/<input type="checkbox"[^>]* checked>/g)).toHaveLength(2);
});

test.each<[what: string, fields: [string, string][]]>([
  ['too few options', [['value[0]:Colors?', 'Red']]],
  ['too many options', ['Red', 'Green', 'Blue', 'Gray'].map((each, at) => [`value[${at}]:Colors?`, each])],
  ['no option', []],
])('%s are refused with the page, which keeps what was chosen', async (_, fields) => {
  const { send, responses } = await journeyOf(await bank.person());
  const { status, body } = await send(fields);
  expect(status).toBe(422);
  expect(body).toContain('Choose 2 to 3.');
  expect(body.match(/<input type="checkbox"[^>]* checked>/g) ?? []).toHaveLength(fields.length);
  expect(await responses()).toEqual([]);
});

test.each(['en', 'ar'] as const)(
  'a date that the calendar does not have, and a text for a number, are named beside their questions: %s',
  async (language) => {
    const block = { id: crypto.randomUUID(), type: 'survey', data: { questions: questions.slice(1) } };
    const asking = testPage('confirm', { content_blocks: [block] });
    const { slug } = await (await campaign(api, [asking], { language })).start();
    const fields = { 'value:Age?': 'old', 'value:Day?': '2026-02-30' };
    const { status, body } = await api.request('POST', `/j/${slug}/actions`, {
      body: new URLSearchParams({
        type: 'page_completed',
        page_id: asking.id,
        block_id: block.id,
        ...fields,
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    });
    const { survey_wrong_date, survey_wrong_number } = catalogues[language];
    expect(status).toBe(422);
    expect(body).toMatch(new RegExp(`>Day\\?</label><span class="unanswered" id="[^"]+-fault">${survey_wrong_date}<`));
    const [before] = survey_wrong_number.split('{example}');
    expect(body).toMatch(new RegExp(`>Age\\?</label><span class="unanswered" id="[^"]+-fault">${before}`));
    expect(body).toContain('value="2026-02-30" aria-invalid="true"');
  },
);
