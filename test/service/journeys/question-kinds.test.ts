import { expect, test } from 'vitest';
import { catalogues } from '../../../lib/web/words/words.ts';
import { embedding, type Person, pageFor } from '../../support/service/channels.ts';
import { campaign, testPage } from '../../support/service/journeys.ts';
import { service } from '../../support/service/service.ts';

/** Questions with several answers, with a number and with a date, as a browser without scripts answers them. */

const api = await service();
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
