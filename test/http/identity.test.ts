import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { identityProof, proofLifetime } from '../../lib/auth/identity-proof.ts';
import { maxAttempts } from '../../lib/domain/identity-attempts.ts';
import { factsOnFile } from '../../lib/domain/identity-facts.ts';
import { secretsOf } from '../../lib/domain/team.ts';
import { loadAttempts, saveAttempts } from '../../lib/store/identity-checks.ts';
import { loadTeam } from '../../lib/store/teams.ts';
import { adminJson } from '../support/admin.ts';
import { putContent } from '../support/content.ts';
import { service, type TestService, type TestTeam } from '../support/service.ts';

let api: TestService;
let team: TestTeam;

const pageOf = (fields: object) => ({ id: randomUUID(), page: { id: randomUUID(), ...fields } });
const limit = pageOf({
  completion_condition: 'confirm',
  order: 1,
  content: 'Your limit is {{meta_private.limit}} now.',
  navigation_title: 'Your limit',
});
const plain = pageOf({ completion_condition: 'confirm', content: 'Good day {{name_first}}.' });
const open = { id: randomUUID(), name: 'Open campaign', template_pages: [limit, plain] };
const closed = {
  id: randomUUID(),
  name: 'Closed campaign',
  is_auth_required: true,
  footer_content: { text: 'Signed for {{name_first}} by {{team.name}}' },
  template_pages: [
    pageOf({ completion_condition: 'confirm', content: 'Good day {{name_first}}, {{meta_private.limit}}.' }),
  ],
};

beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
  await putContent(api.database, team.teamId, { templates: [open, closed] });
});

const known = {
  name_first: 'Annabel',
  birthdate: '1985-03-27',
  post_code: '94110-1234',
  meta_private: { limit: 'seven thousand' },
};
const right = { birth_month: '3', birth_day: '27', birth_year: '1985', post_code: ' 94110 ' };
const wrong = { ...right, post_code: '94112' };

/** A fresh contact's journey, by its path. */
async function journey(template: { id: string }, fields: object = known, of = team, unique_id: string = randomUUID()) {
  const request = { token: of.token, body: { contact: { unique_id, ...fields } } };
  const { body } = await api.request('POST', `/v1/templates/${template.id}/journeys`, request);
  const found = await api.request('POST', '/v1/contacts', { token: of.token, body: { unique_id } });
  return { path: `/j/${body.slug}`, id: body.id as string, unique_id, contact_id: found.body.id as string };
}
const get = (path: string, cookie?: string) => api.request('GET', path, cookie ? { headers: { cookie } } : {});
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  api.request('POST', `${path}/identity`, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
const cookieOf = ({ headers }: { headers: Headers }) => headers.get('set-cookie')?.split(';')[0] ?? '';

describe('a journey behind the check', () => {
  test('takes no proof from a body that declares to be something else than a form', async () => {
    const { path } = await journey(closed);
    const answer = await post(path, right, { 'content-type': 'text/plain' });
    expect([answer.status, answer.body.error, cookieOf(answer)]).toEqual([415, 'unsupported_media_type', '']);
    expect((await post(path, right)).status).toBe(303);
  });

  test('shows nothing of contact or campaign before it, and asks two facts', async () => {
    const { path } = await journey(closed, { ...known, email: 'annabel@example.com' });
    const { status, body, headers } = await get(path);
    expect(status).toBe(200);
    expect(body).toContain('Please confirm that it is you');
    expect(body).toContain('name="birth_year"');
    expect(body).toContain('name="post_code"');
    expect(body).not.toMatch(/name="phone"|Annabel|seven|94110|1985-|annabel|Closed campaign/);
    expect(body).toContain('Signed for  by Test');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('vary')).toBe('cookie, accept-encoding');
    expect(headers.get('content-security-policy')).toContain("script-src 'none'");
  });

  test('opens with right answers, for the browser that gave them', async () => {
    const { path } = await journey(closed);
    const answer = await post(path, right);
    expect(answer).toMatchObject({ status: 303, body: undefined });
    expect(answer.headers.get('location')).toBe(path);
    expect(answer.headers.get('set-cookie')).toMatch(
      new RegExp(`^identity=[\\w.-]+; Path=${path}; Max-Age=1800; HttpOnly; SameSite=Lax$`),
    );
    const { body, headers } = await get(path, `other=1; ${cookieOf(answer)}`);
    expect(body).toContain('Good day Annabel, seven thousand.');
    expect(headers.get('vary')).toBe('cookie, accept-encoding');
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await get(path)).body).not.toContain('Annabel');
  });

  test('closes again for who asks for that', async () => {
    const { path } = await journey(closed);
    const cookie = cookieOf(await post(path, right));
    expect((await get(path, cookie)).body).toContain('name="forget"');
    const answer = await post(path, { forget: 'yes' }, { cookie });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('set-cookie')).toMatch(/^identity=; .*Max-Age=0/);
  });

  test('asks an unknown page’s visitor nothing', async () => {
    const { path } = await journey(closed);
    expect((await get(`${path}?page=${randomUUID()}`)).status).toBe(404);
    expect((await post(path, { ...right, page: randomUUID() })).status).toBe(404);
    expect((await post('/j/nowhere', right)).status).toBe(404);
  });
});

describe('a page that names private data', () => {
  test('is shown without them, and offers the check', async () => {
    const { path } = await journey(open);
    const { body } = await get(path);
    expect(body).toContain('Your limit is ••• now.');
    expect(body).toContain(`href="${path}/identity?page=${limit.page.id}"`);
    const asked = await get(`${path}/identity?page=${limit.page.id}`);
    expect(asked.body).toContain('Please confirm that it is you');
    expect(asked.body).toContain(`href="${path}?page=${limit.page.id}"`);
  });

  test('shows them after it', async () => {
    const { path } = await journey(open);
    const answer = await post(path, { ...right, page: limit.page.id });
    expect(answer.headers.get('location')).toBe(`${path}?page=${limit.page.id}`);
    const cookie = cookieOf(answer);
    expect((await get(path, cookie)).body).toContain('Your limit is seven thousand now.');
    const asked = await get(`${path}/identity?page=${limit.page.id}`, cookie);
    expect([asked.status, asked.headers.get('location')]).toEqual([303, `${path}?page=${limit.page.id}`]);
  });

  test('is the only one to offer it', async () => {
    const { path } = await journey(open);
    const page = `${path}?page=${plain.page.id}`;
    expect((await get(page)).body).not.toContain('/identity');
    const asked = await get(`${path}/identity?page=${plain.page.id}`);
    expect([asked.status, asked.headers.get('location')]).toEqual([303, page]);
    // Nothing to prove: nothing is compared.
    for (const answers of [right, wrong]) {
      const answer = await post(path, { ...answers, page: plain.page.id });
      expect(answer.status).toBe(303);
      expect(answer.headers.get('set-cookie')).toMatch(/^identity=;/);
    }
  });
});

describe('answers that are not right', () => {
  test('are refused alike, whichever is wrong, and not repeated', async () => {
    const { path } = await journey(closed);
    const one = await post(path, wrong);
    const other = await post(path, { ...right, birth_day: '26' });
    expect([one.status, other.status]).toEqual([422, 422]);
    expect(one.body).toBe(other.body);
    expect(one.body).toContain('Your answers do not match what is on file');
    expect(one.body).not.toMatch(/94112|Annabel/);
    expect(one.headers.get('set-cookie')).toBeNull();
    expect(one.headers.get('cache-control')).toBe('no-store');
  });

  test('say what is missing, without an attempt', async () => {
    const { path } = await journey(closed);
    for (let done = 0; done < 6; done++) {
      const { status, body } = await post(path, { birth_month: '2', birth_day: '30', birth_year: '1985' });
      expect(status).toBe(422);
      expect(body).toContain('Enter your date of birth');
      expect(body).toContain('Enter your post code');
    }
    expect((await post(path, right)).status).toBe(303);
  });

  test('lock the fifth time, for every journey of the contact, and only for that contact', async () => {
    const first = await journey(closed);
    const second = await journey(open, {}, team, first.unique_id);
    for (const status of [422, 422, 422, 422, 429]) expect((await post(first.path, wrong)).status).toBe(status);
    const locked = await post(second.path, right);
    expect(locked.status).toBe(429);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(890);
    expect(Number(locked.headers.get('retry-after'))).toBeLessThanOrEqual(900);
    expect(locked.body).toContain('15 minutes');
    expect(locked.headers.get('set-cookie')).toBeNull();
    const shown = await get(first.path);
    expect(shown).toMatchObject({ status: 200 });
    expect(shown.body).toContain('Please pause before you try again');
    expect((await post((await journey(closed)).path, right)).status).toBe(303);
  });

  test('can be given again once an administrator allows it', async () => {
    const { path, unique_id } = await journey(closed);
    for (let done = 0; done < 5; done++) await post(path, wrong);
    const allow = (uniqueId: string) =>
      adminJson('contact', 'allow-attempts', '--team', team.teamId, '--unique-id', uniqueId);
    expect(await allow(unique_id)).toMatchObject({ status: 0, value: { unique_id } });
    expect((await post(path, right)).status).toBe(303);
    expect(await allow('nobody')).toMatchObject({ status: 1, value: { error: 'not_found' } });
  });

  test('and thirty guesses at one moment get no more than the limit', async () => {
    const { path } = await journey(closed);
    const answers = await Promise.all(Array.from({ length: 30 }, () => post(path, wrong)));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(26);
  });
});

test('who has too little on file is told whom to turn to, and can prove nothing', async () => {
  const { path } = await journey(closed, { name_first: 'Annabel', birthdate: '1985-03-27' });
  for (const answer of [await get(path), await post(path, right)]) {
    expect(answer.body).toContain('We cannot confirm here that it is you');
    expect(answer.body).not.toMatch(/<form|Annabel/);
  }
  expect((await post(path, right)).status).toBe(422);
});

describe('a proof', () => {
  const secretOf = async (teamId: string) => secretsOf((await loadTeam(api.database, teamId))!);
  const isOpen = async (path: string, proof: string) => {
    const { status, body } = await get(path, `identity=${proof}`);
    expect(status).toBe(200);
    return body.includes('Annabel');
  };

  test('does not count once it is altered, or old', async () => {
    const { path, id, unique_id } = await journey(closed);
    const proof = cookieOf(await post(path, right)).slice('identity='.length);
    expect(await isOpen(path, proof)).toBe(true);
    for (const text of [`${proof}A`, proof.slice(1), proof.toUpperCase(), '', 'x']) {
      expect(await isOpen(path, text)).toBe(false);
    }
    const contact = await api.request('POST', '/v1/contacts', { token: team.token, body: { unique_id } });
    const facts = factsOnFile({ ...contact.body });
    const place = { teamId: team.teamId, contactId: contact.body.id, journeyId: id, facts };
    const secret = await secretOf(team.teamId);
    expect(await isOpen(path, identityProof(secret, place, Date.now() - proofLifetime + 60_000))).toBe(true);
    expect(await isOpen(path, identityProof(secret, place, Date.now() - proofLifetime - 1))).toBe(false);
  });

  test('does not count for another journey of the contact, or another contact, or another team', async () => {
    const own = await journey(closed);
    const proof = cookieOf(await post(own.path, right)).slice('identity='.length);
    expect(await isOpen((await journey(closed)).path, proof)).toBe(false);
    const sibling = await journey(open, {}, team, own.unique_id);
    expect((await get(sibling.path, `identity=${proof}`)).body).toContain('Your limit is ••• now.');
    const other = await api.newTeam();
    const renewed = { ...closed, id: randomUUID(), template_pages: [pageOf({ content: '{{name_first}}' })] };
    await putContent(api.database, other.teamId, { templates: [renewed] });
    expect(await isOpen((await journey(renewed, known, other)).path, proof)).toBe(false);
  });
});

describe('a form from elsewhere', () => {
  test.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ origin: 'https://elsewhere.example' }],
  ])('is refused: %j', async (headers) => {
    const { path } = await journey(closed);
    const refused = await post(path, right, headers as Record<string, string>);
    expect(refused.status).toBe(403);
    expect(refused.headers.get('set-cookie')).toBeNull();
  });

  test('is told from one of the page itself', async () => {
    const own = { origin: new URL(api.baseUrl).origin };
    for (const headers of [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, { origin: 'null' }, own]) {
      expect((await post((await journey(closed)).path, right, headers as Record<string, string>)).status).toBe(303);
    }
  });
});

describe('a proof ends', () => {
  const change = (id: string, body: object) => api.request('PATCH', `/v1/contacts/${id}`, { token: team.token, body });
  const isOpen = async (path: string, cookie: string) => (await get(path, cookie)).body.includes('Annabel');

  test.each([
    ['the date of birth', { birthdate: '1985-03-28' }],
    ['a telephone number', { phone_work: '555 010 9999' }],
    ['the post code', { post_code: null }],
  ])('once %s changes on file', async (_, fields) => {
    const { path, contact_id } = await journey(closed);
    const cookie = cookieOf(await post(path, right));
    await change(contact_id, { name_last: 'Novak', email: 'annabel@example.com' });
    expect(await isOpen(path, cookie)).toBe(true);
    await change(contact_id, fields);
    expect(await isOpen(path, cookie)).toBe(false);
  });

  test('once the contact is locked, while a pause leaves it', async () => {
    const { path, contact_id } = await journey(closed);
    const cookie = cookieOf(await post(path, right));
    for (let done = 0; done < 5; done++) await post(path, wrong);
    expect((await post(path, right)).status).toBe(429);
    expect(await isOpen(path, cookie)).toBe(true);
    const stored = await loadAttempts(api.database, team.teamId, contact_id);
    await saveAttempts(api.database, team.teamId, contact_id, { count: maxAttempts, pausedUntil: null }, stored);
    expect(await isOpen(path, cookie)).toBe(false);
    const body = { type: 'page_viewed', page_id: closed.template_pages[0]!.page.id };
    expect((await api.request('POST', `${path}/actions`, { body, headers: { cookie } })).status).toBe(403);
  });
});

describe('an action', () => {
  const act = (path: string, type: string, { page }: { page: { id: string } }, headers: Record<string, string> = {}) =>
    api.request('POST', `${path}/actions`, { body: { type, page_id: page.id }, headers });
  const shown = async (id: string) => {
    const { body } = await api.request('GET', `/v1/journeys?contact_id=${id}`, { token: team.token });
    return body[0].analytics_cache;
  };

  test.each(['page_viewed', 'page_completed'])(
    'of a journey behind the check is %s only for who has passed it',
    async (type) => {
      const { path, contact_id } = await journey(closed);
      const [page] = closed.template_pages;
      const refused = await act(path, type, page!);
      expect([refused.status, refused.body.error]).toEqual([403, 'identity_required']);
      expect(await shown(contact_id)).toMatchObject({ pages_viewed: [], pages_completed: [] });
      const image = { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'same-origin' };
      const seen = await api.request('GET', `${path}/pages/${page!.page.id}/viewed.gif`, { headers: image });
      expect([seen.status, seen.body.error]).toEqual([403, 'identity_required']);
      const cookie = cookieOf(await post(path, right));
      expect((await act(path, type, page!, { cookie })).status).toBe(204);
    },
  );

  test('on a page that withholds something is a view for everybody, and a completion only after the proof', async () => {
    const { path, contact_id } = await journey(open);
    expect((await act(path, 'page_viewed', limit)).status).toBe(204);
    const refused = await act(path, 'page_completed', limit);
    expect([refused.status, refused.body.error]).toEqual([403, 'identity_required']);
    expect(await shown(contact_id)).toMatchObject({ pages_viewed: [limit.page.id], pages_completed: [] });
    const cookie = cookieOf(await post(path, { ...right, page: limit.page.id }));
    expect((await act(path, 'page_completed', limit, { cookie })).status).toBe(204);
    expect((await shown(contact_id)).pages_completed).toEqual([limit.page.id]);
  });

  test('on a page that withholds nothing needs no proof', async () => {
    const { path } = await journey(open);
    expect((await act(path, 'page_completed', plain)).status).toBe(204);
  });
});

test('a page never shows what it then asks for, whatever names it', async () => {
  const page = pageOf({ content: 'Born {{birthdate}} at {{contact.post_code}}, {{when}}, {{name_first}}.' });
  const told = { id: randomUUID(), name: 'T', template_pages: [{ ...page, content_variables: { when: 'birthdate' } }] };
  await putContent(api.database, team.teamId, { templates: [told] });
  const { path } = await journey(told);
  const { body } = await get(path);
  expect(body).toContain('Born ••• at •••, •••, Annabel.');
  expect(body).not.toMatch(/1985|94110/);
  expect(body).toContain(`${path}/identity?page=`);
  const cookie = cookieOf(await post(path, { ...right, page: page.page.id }));
  expect((await get(path, cookie)).body).toContain('Born 1985-03-27 at 94110-1234, 1985-03-27, Annabel.');
});
