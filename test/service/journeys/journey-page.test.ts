import { beforeAll, describe, expect, test } from 'vitest';
import { newSlug } from '../../../lib/auth/secrets.ts';
import { admin, adminJson } from '../../support/service/admin.ts';
import { campaign, testPage } from '../../support/service/journeys.ts';
import { service, type TestService } from '../../support/service/service.ts';

let api: TestService;
let welcome: Awaited<ReturnType<typeof campaign>>;

const heading = (text: string) => [{ order: 1, type: 'heading', data: { heading: text } }];
const pages = {
  view: testPage('view', { navigation_title: 'Look', content_blocks: heading('Hello {{contact.name_first}}') }),
  confirm: testPage('confirm', { navigation_title: 'Agree', content_blocks: heading('Secret: {{meta_private.pin}}') }),
  act: testPage('action', { navigation_title: 'Do' }),
  draft: testPage(null, { navigation_title: 'Unfinished', content_block_status: 'draft' }),
  archived: testPage(null, { navigation_title: 'Gone', is_archived: true }),
};

beforeAll(async () => {
  api = await service();
  welcome = await campaign(api, Object.values(pages), { journey_title_options: { type: 'CUSTOM', custom: 'Title' } });
});

const get = (path: string, headers: Record<string, string> = {}) => api.request('GET', path, { headers });
const complete = (slug: string, page_id: string) =>
  api.request('POST', `/j/${slug}/actions`, { body: { type: 'page_completed', page_id } });

describe('GET /j/:slug', () => {
  test('shows the first page that is not completed, or the one that is asked for', async () => {
    const { slug } = await welcome.start({ name_first: 'Jana & <b>Co</b>' });
    const first = await get(`/j/${slug}`);
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(first.body).toContain('<h2>Hello Jana &amp; &lt;b&gt;Co&lt;/b&gt;</h2>');
    expect((await get(`/j/${slug}?page=${pages.confirm.id.toUpperCase()}`)).body).toContain('<h2>Secret: •••</h2>');
    await complete(slug, pages.view.id);
    expect((await get(`/j/${slug}`)).body).toContain('<h2>Secret: •••</h2>');
    expect((await get(`/j/${slug}?page=${pages.view.id}`)).body).toContain('<h2>Hello');
  });

  test('never shows private data, drafts or archived pages', async () => {
    const { slug } = await welcome.start({ meta_private: { pin: 'private pin' } });
    for (const query of ['', `?page=${pages.confirm.id}`]) {
      expect((await get(`/j/${slug}${query}`)).body).not.toMatch(/private pin|Unfinished|Gone/);
    }
  });

  test('does not count as a view: only the page itself reports one', async () => {
    const journey = await welcome.start();
    await get(`/j/${journey.slug}`);
    expect((await welcome.analytics(journey)).pages_viewed).toEqual([]);
  });

  test('is private, and allows its own style and script and nothing else', async () => {
    const { slug } = await welcome.start();
    const { headers } = await get(`/j/${slug}`);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-robots-tag')).toMatch(/^noindex/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.has('set-cookie')).toBe(false);
  });

  test('answers every wrong address with the same 404', async () => {
    const { slug } = await welcome.start();
    const wrong = ['/j/short', `/j/${'A'.repeat(24)}`, `/j/${slug}x`, `/j/%2F..%2F${slug}`];
    const answers = await Promise.all(wrong.map((path) => get(path)));
    for (const { status, headers, body } of answers) {
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(body).toBe(answers[0]!.body);
    }
    expect(answers[0]!.body).toContain('We cannot find this page');
  });
});

describe('a page that names an account', () => {
  const block = (body: string) => ({ order: 1, type: 'text', data: { body } });
  const texts = ['Your {{account.nickname}} ({{account.product.name}}) holds {{account.balance}}.'];
  const page = testPage('open', { completion_product_type: 'savings', content_blocks: texts.map(block) });

  test('shows the open one of the product that completes it, and most of it only after a proof', async () => {
    const { start, token } = await campaign(api, [page]);
    const unique_id = crypto.randomUUID();
    const { slug } = await start({ unique_id, birthdate: '1985-03-27', post_code: '94110' });
    const account = (number: string, type: string, opened_date: string, more: object = {}) => ({
      ...{ account_number: `${unique_id}-${number}`, contact: { unique_id }, nickname: number, balance: '12.50' },
      ...{ opened_date, product: { code: type, type, name: `Good ${type}` }, ...more },
    });
    const records = [
      account('Rainy day', 'savings', '2020-01-01'),
      account('Household', 'checking', '2026-01-01'),
      account('Old', 'savings', '2025-01-01', { closed_date: '2025-06-01' }),
    ];
    const { body: batch } = await api.request('POST', '/v1/batches', { token, body: { type: 'account', records } });
    const status = async () => (await api.request('GET', `/v1/batches/${batch.batch_id}`, { token })).body.status;
    await expect.poll(status).toBe('completed');
    expect((await get(`/j/${slug}`)).body).toContain('Your Rainy day (Good savings) holds •••.');
    const fields = { birth_month: '3', birth_day: '27', birth_year: '1985', post_code: '94110' };
    const proof = await api.request('POST', `/j/${slug}/identity`, {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const cookie = proof.headers.get('set-cookie')!.split(';')[0]!;
    expect((await get(`/j/${slug}`, { cookie })).body).toContain('Your Rainy day (Good savings) holds 12.50.');
  });
});

describe('the image by which a view is reported', () => {
  const asImage = { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'same-origin' };
  test('counts what a browser loads with the page', async () => {
    const journey = await welcome.start();
    const answer = await get(`/j/${journey.slug}/pages/${pages.view.id}/viewed.gif`, asImage);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/gif']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { pages_viewed, pages_completed } = await welcome.analytics(journey);
    expect([pages_viewed, pages_completed]).toEqual([[pages.view.id], [pages.view.id]]);
  });

  test.each([
    ['a program that follows addresses', {}],
    ['a person who opens it', { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' }],
    ['another site', { ...asImage, 'sec-fetch-site': 'cross-site' }],
    ['a browser that loads it before a visit', { ...asImage, 'sec-purpose': 'prefetch;prerender' }],
    ['an older one', { ...asImage, purpose: 'prefetch' }],
    ['HEAD', asImage, 'HEAD'],
  ])('counts nothing for %s', async (_, headers, method = 'GET') => {
    const journey = await welcome.start();
    const path = `/j/${journey.slug}/pages/${pages.view.id}/viewed.gif`;
    expect((await api.request(method, path, { headers })).status).toBe(200);
    expect((await welcome.analytics(journey)).pages_viewed).toEqual([]);
  });

  test.each([
    ['sec-purpose', 'prefetch'],
    ['purpose', 'prerender'],
  ])('an action with %s: %s records nothing, as JSON or as a form', async (name, value) => {
    const journey = await welcome.start();
    const headers = { [name]: value };
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    for (const type of ['page_viewed', 'page_completed']) {
      const sent = { type, page_id: pages.view.id };
      const path = `/j/${journey.slug}/actions`;
      expect((await api.request('POST', path, { headers, body: sent })).status).toBe(204);
      const body = new URLSearchParams(sent).toString();
      expect((await api.request('POST', path, { headers: form, body })).status).toBe(303);
    }
    const { pages_viewed, pages_completed } = await welcome.analytics(journey);
    expect([pages_viewed, pages_completed]).toEqual([[], []]);
  });

  test('is 404 for a journey or page that is not there', async () => {
    const { slug } = await welcome.start();
    const paths = [
      `/j/${'A'.repeat(24)}/pages/${pages.view.id}/viewed.gif`,
      `/j/${slug}/pages/${crypto.randomUUID()}/viewed.gif`,
      `/j/${slug}/pages/x/viewed.gif`,
    ];
    for (const path of paths) expect((await get(path, asImage)).status).toBe(404);
  });
});

describe('a link to a journey', () => {
  test.each(['.', ',', ')', ').', '%20', '%3E', '%E2%80%A6', '-', '/', '/.', '.?page=PAGE', '/?page=PAGE', ';!'])(
    'leads to it with %s behind the slug',
    async (appended) => {
      const { slug } = await welcome.start();
      const query = appended.includes('?') ? `?page=${pages.view.id}` : '';
      for (const method of ['GET', 'HEAD']) {
        const path = `/j/${slug}${appended.replace('PAGE', pages.view.id)}`;
        const { status, headers } = await api.request(method, path);
        expect([status, headers.get('location')]).toEqual([302, `/j/${slug}${query}`]);
      }
      expect((await get(`/j/${slug}${query}`)).status).toBe(200);
    },
  );

  test('ends in a letter or digit', async () => {
    for (let n = 0; n < 2000; n++) expect(newSlug()).toMatch(/^[\w-]{23}[A-Za-z\d]$/);
  });

  test.each(['/j', '/j/', '/J', '/j/x', '/j/x.', `/j/${'x'.repeat(24)}.`, '/j/x/y/z', '/c', '/c/x', '/C/x/y/z'])(
    'that is wrong, %s, is a page for people',
    async (path) => {
      const { status, headers, body } = await get(path, { accept: '*/*' });
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(body).toContain('<h1');
    },
  );
});

test('the time of an answer is in the time zone of the team, if the contact has none', async () => {
  const block = { id: crypto.randomUUID(), type: 'agreement', order: 1, data: { agreementText: 'I agree' } };
  const own = await campaign(api, [testPage('confirm', { content_blocks: [block] })]);
  const update = (...option: string[]) => adminJson('team', 'update', '--team', own.teamId, ...option);
  expect((await update('--timezone', 'Asia/Tokyo')).value.timezone).toBe('Asia/Tokyo');
  const { slug } = await own.start();
  const page_id = (await get(`/j/${slug}`)).body.match(/data-page="([^"]+)"/)[1];
  const body = { type: 'page_completed', page_id, answers: [{ block_id: block.id, answer: 'accepted' }] };
  await api.request('POST', `/j/${slug}/actions`, { body });
  await expect
    .poll(async () => (await get(`/j/${slug}?page=${page_id}`)).body, { interval: 500 })
    .toMatch(/Answered on [^<]*GMT\+9/);
  expect((await update('--no-timezone')).value.timezone).toBeNull();
  expect((await admin(['team', 'update', '--team', own.teamId, '--timezone', 'Tokio'])).stderr).toMatch(/IANA/);
});

describe('a form of the page', () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  test('leads to what follows its page', async () => {
    const { slug, url } = await welcome.start();
    const body = `type=page_completed&page_id=${pages.act.id}&next=yes`;
    const answer = await api.request('POST', `/j/${slug}/actions`, { body, headers });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${url}?after=${pages.act.id}`]);
  });
});
