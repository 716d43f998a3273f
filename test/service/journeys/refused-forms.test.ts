import { describe, expect, test } from 'vitest';
import { block } from '../../support/service/channel-requests.ts';
import { embedding, pageFor } from '../../support/service/channels.ts';
import { cookieOf, known, right } from '../../support/service/identity-requests.ts';
import { campaign, type TestPage, testPage } from '../../support/service/journeys.ts';
import { service } from '../../support/service/service.ts';

const api = await service();

const [survey, signature] = [crypto.randomUUID(), crypto.randomUUID()];
const asking = [
  { ...block('survey', { questions: ['Why?', { text: 'How?', options: ['Well', 'Badly'] }] }), id: survey },
  {
    ...block('signature', { agreementText: 'Terms', signatureBoxText: 'Your name', disagreeText: 'No' }),
    id: signature,
  },
];
const first = testPage('confirm', { navigation_title: 'Ask', content_blocks: asking });
const last = testPage('confirm', { navigation_title: 'Last' });

/** A form as a browser sends it without scripts. */
async function send(path: string, fields: Record<string, string> | string, headers: Record<string, string> = {}) {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  const type = 'application/x-www-form-urlencoded';
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const sent = await api.request('POST', `${path}/actions`, {
    body,
    headers: { accept, 'content-type': type, ...headers },
  });
  expect(sent.headers.get('content-type')).toBe('text/html; charset=utf-8');
  return sent;
}
const answerTo = (page: TestPage, block_id: string, fields: Record<string, string> = {}) => ({
  ...{ type: 'page_completed', page_id: page.id, stay: 'yes', block_id },
  ...fields,
});
const surveyed = (value: string) => answerTo(first, survey, { 'value:Why?': value, 'value:How?': 'Badly' });
const unsigned = answerTo(first, signature, { answer: 'accepted' });
const retried = 'This could not be sent. What you entered is still here';
const shorter = 'This is too long to be sent. Please shorten it';

describe.each([
  ['a journey', async () => `/j/${(await (await campaign(api, [first, last], { logo_file_id: null })).start()).slug}`],
  [
    'content of a channel',
    async () => {
      const pages = (id: string) => [pageFor(id, 'confirm', { id: first.id, container: { content_blocks: asking } })];
      return (await (await embedding(api, pages)).person()).path;
    },
  ],
])('a form of %s that cannot be recorded', (_, pathOf) => {
  let made: Promise<string> | undefined;
  const path = () => (made ??= pathOf());

  test.each([
    ['with an answer that is too long', 422, surveyed('a'.repeat(4001)), 'a'.repeat(4001), retried],
    ['with a body that is too large', 413, surveyed('й'.repeat(4000)), 'й'.repeat(4000), shorter],
  ])('%s is shown again with everything that was entered', async (_case, status, fields, typed, message) => {
    const { status: given, body } = await send(await path(), fields);
    expect(given).toBe(status);
    expect(body).toContain(`name="value:Why?" maxlength="4000">${typed}</textarea>`);
    expect(body).toContain('value="Badly" checked');
    expect(body).toMatch(new RegExp(`<div class="faults" role="alert".*${message}`));
    expect(body.split(`<p class="unsent" role="alert">${message}`)).toHaveLength(2);
  });

  test('with a signature that is too large is shown again at its own button', async () => {
    const { status, body } = await send(await path(), { ...unsigned, typed_name: 'J'.repeat(20_000) });
    expect([status, body.split(`<p class="unsent" role="alert">${shorter}`).length]).toEqual([413, 2]);
    expect(body).toMatch(/name="typed_name"[^>]* value="J{20000}"/);
  });

  test('without a signature says only that it is missing', async () => {
    const { status, body } = await send(await path(), { ...unsigned, typed_name: ' ' });
    expect([status, body.match(/class="unanswered"/g)?.length]).toEqual([422, 1]);
    expect(body).not.toContain(`>${retried}`);
    expect(body).toMatch(/name="typed_name"[^>]* value=" "/);
  });

  test('with one letter as the signature says so beside the field, which keeps it', async () => {
    const { status, body } = await send(await path(), { ...unsigned, typed_name: 'J' });
    expect(status).toBe(422);
    const message = 'Please type your name, with at least two letters.';
    expect(body).toMatch(
      new RegExp(
        `Your name</label><span class="unanswered" id="(b\\d-name-fault)">${message}</span><input[^>]* value="J" aria-invalid="true" aria-describedby="\\1" autofocus>`,
      ),
    );
  });

  test.each([
    ['is no form', 'no form', 415, { 'content-type': 'text/plain' }],
    ['has too many fields', 'a=1&'.repeat(200), 400, {}],
    ['is compressed', 'x', 415, { 'content-encoding': 'gzip' }],
    ['is larger than what is sent back', `type=page_completed&block_id=${'x'.repeat(300_000)}`, 413, {}],
  ])('and %s is a page', async (_case, body, status, headers) => {
    const sent = await send(await path(), body, headers as Record<string, string>);
    expect([sent.status, sent.body.includes('<div class="faults" role="alert"')]).toEqual([status, true]);
    expect(sent.body.length).toBeLessThan(60_000);
  });

  test('because another site sent it shows nothing of what was entered', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'accept-language': 'de' };
    const { status, body } = await send(await path(), surveyed('injected'), headers);
    expect([status, body.includes('injected')]).toEqual([403, false]);
    expect(body).toContain('<h1>Dieses Formular wurde von einer anderen Seite gesendet</h1>');
  });

  test('escapes what was entered', async () => {
    const markup = `</textarea><script>alert(1)</script>${'a'.repeat(4000)}`;
    expect((await send(await path(), surveyed(markup))).body).not.toContain('<script>alert');
  });

  test('stays JSON for scripts and programs', async () => {
    const type = 'application/x-www-form-urlencoded';
    const body = new URLSearchParams(unsigned).toString();
    const headers = { accept: '*/*', 'content-type': type };
    const sent = await api.request('POST', `${await path()}/actions`, { body, headers });
    expect([sent.status, sent.body.error]).toEqual([422, 'validation_failed']);
  });
});

describe('the page of a refused form', () => {
  test('says in its title that there is an error, and its links lead back to the journey', async () => {
    const { slug } = await (await campaign(api, [first, last])).start();
    const { body } = await send(`/j/${slug}`, unsigned);
    expect(body).toContain('<title>Error: Ask');
    expect(body).toContain(`href="/j/${slug}?page=${last.id}"`);
    expect(body).not.toContain('href="?page=');
  });

  test('opens the form of a survey that was answered before', async () => {
    const { slug } = await (await campaign(api, [first])).start();
    const sent = {
      body: { ...surveyed(''), answers: [{ block_id: survey, values: [{ question: 'Why?', value: 'A' }] }] },
    };
    expect((await api.request('POST', `/j/${slug}/actions`, sent)).status).toBe(204);
    expect((await send(`/j/${slug}`, surveyed('b'.repeat(4001)))).body).toMatch(/<details open>.*>b{4001}</s);
  });

  test.each([
    ['an unknown page', { page_id: crypto.randomUUID() }, 404, 'This page is no longer part of it'],
    ['an unknown journey', {}, 404, 'We cannot find this page'],
  ])('of %s is a notice', async (what, changes, status, title) => {
    const { slug } = await (await campaign(api, [first])).start();
    const path = what === 'an unknown journey' ? `/j/${'A'.repeat(24)}` : `/j/${slug}`;
    const sent = await send(path, { ...unsigned, ...changes });
    expect([sent.status, sent.body.includes(`<h1>${title}</h1>`)]).toEqual([status, true]);
  });

  test('of content that does not exist is a notice that every site may frame', async () => {
    const { body, status, headers } = await send(`/c/${crypto.randomUUID()}/short`, unsigned);
    expect([status, body.includes('<h1>There is nothing to show here</h1>')]).toEqual([404, true]);
    expect(headers.get('content-security-policy')).toContain('frame-ancestors *');
  });
});

describe('without a proof of identity', () => {
  const limit = { type: 'text', data: { body: 'Your limit is {{meta_private.limit}}.' } };
  const page = testPage('confirm', { content_blocks: [limit, ...asking] });

  test('a form of a campaign that asks for it leads to the questions', async () => {
    const { slug } = await (await campaign(api, [first], { is_auth_required: true })).start(known);
    const { status, body } = await send(`/j/${slug}`, surveyed('mine'));
    expect([status, body.includes('Please confirm that it is you'), body.includes('mine')]).toEqual([403, true, false]);
  });

  test('a page with private values offers the check in place of its forms', async () => {
    const { slug } = await (await campaign(api, [page])).start(known);
    const { body } = await api.request('GET', `/j/${slug}`);
    expect(body).not.toContain('<form');
    expect(body).toContain('Terms');
    // In the place of the survey and of the signature. Only the first of the two buttons is shown.
    const check = `<a class="button" href="/j/${slug}/identity?page=${page.id}">Confirm that it is you</a>`;
    const line = '<p>To see what is hidden and to complete this step, first confirm that it is you.</p>';
    expect(body.split(`<div class="proof-first">${line}${check}</div>`)).toHaveLength(3);
    expect(body).not.toContain('class="personal"');
    const sent = await send(`/j/${slug}`, { ...unsigned, page_id: page.id, typed_name: 'Jana' });
    expect(sent.status).toBe(403);
    expect(sent.body).toContain('Please confirm first that it is you. Nothing was recorded.');
    const fields = new URLSearchParams({ ...right, page: page.id }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const cookie = cookieOf(await api.request('POST', `/j/${slug}/identity`, { body: fields, headers }));
    expect((await api.request('GET', `/j/${slug}`, { headers: { cookie } })).body).toContain('class="completion"');
  });

  test('an identity form that is no form is a page for browsers', async () => {
    const { slug } = await (await campaign(api, [first], { is_auth_required: true })).start(known);
    const headers = { accept: 'text/html', 'content-type': 'text/plain' };
    const sent = await api.request('POST', `/j/${slug}/identity`, { body: 'x', headers });
    expect([sent.status, sent.headers.get('content-type')]).toEqual([415, 'text/html; charset=utf-8']);
  });
});
