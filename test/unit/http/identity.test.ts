import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { putContent } from '../../support/operations/content.ts';
import {
  closed,
  cookieOf,
  identityRequests,
  known,
  limit,
  open,
  pageOf,
  plain,
  right,
  withoutIds,
  wrong,
} from '../../support/service/identity-requests.ts';

const { api, team, journey, get, post } = await identityRequests();

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
    expect(withoutIds(body)).not.toMatch(/name="phone"|Annabel|seven|94110|1985-|annabel|Closed campaign/);
    expect(body).toContain('Signed for  by Test');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('vary')).toBe('cookie, accept-encoding');
    expect(headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^ ;]+';/);
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

describe('a page without private data', () => {
  const terms = { id: randomUUID(), type: 'signature', data: { agreementText: 'I agree.', signatureBoxText: 'Name' } };
  const survey = { id: randomUUID(), type: 'survey', data: { questions: [{ text: 'Why?' }] } };
  const signing = pageOf({ completion_condition: 'confirm', content_blocks: [terms, survey] });
  const other = pageOf({ completion_condition: 'confirm', content: '{{meta_private.limit}}' });
  const own = { id: randomUUID(), name: 'Sign', template_pages: [signing, other] };
  const address = `page=${signing.page.id}`;
  const signed = [
    { block_id: terms.id, answer: 'accepted', typed_name: 'Annabel Lee' },
    { block_id: survey.id, values: [{ question: 'Why?', value: 'Because of it' }] },
  ];
  const started = async () => {
    await putContent(api.database, team.teamId, { templates: [open, closed, own] });
    return journey(own);
  };
  const answer = async (path: string, answers: object[], cookie = '') => {
    const body = { type: 'page_completed', page_id: signing.page.id, answers };
    expect((await api.request('POST', `${path}/actions`, { body, headers: { cookie } })).status).toBe(204);
  };
  const proved = async (path: string) => cookieOf(await post(path, { ...right, page: other.page.id }));

  test('shows name and answers that were given with a proof only with one, and offers it', async () => {
    const { path } = await started();
    const cookie = await proved(path);
    await answer(path, signed, cookie);
    const shown = (await get(`${path}?${address}`, cookie)).body;
    expect(shown).toMatch(/Annabel Lee.*Because of it/s);
    expect(shown).toContain('name="forget"');
    expect(shown).toMatch(/ data-left="\d+"/);
    const hidden = (await get(`${path}?${address}`)).body;
    expect(hidden).not.toMatch(/Annabel Lee|Because of it| data-left="/);
    expect(hidden).toContain('Answered on');
    expect(hidden).toContain(`href="${path}/identity?${address}"`);
    // The survey can still be answered again without a proof.
    expect(hidden).toContain('class="completion"');
    const asked = await get(`${path}/identity?${address}`);
    expect(asked.body).toMatch(/name="post_code".*Back without confirming/s);
    const again = await post(path, { ...right, page: signing.page.id });
    expect(again.headers.get('location')).toBe(`${path}?${address}`);
    expect((await get(`${path}?${address}`, cookieOf(again))).body).toContain('Annabel Lee');
    const done = { type: 'page_completed', page_id: other.page.id };
    expect((await api.request('POST', `${path}/actions`, { body: done, headers: { cookie } })).status).toBe(204);
    const [ending, unproved] = [await get(`${path}?page=ending`, cookie), await get(`${path}?page=ending`)];
    expect(ending.body).toMatch(/ data-left=".*What you have done.*Annabel Lee/s);
    expect(unproved.body).toMatch(/What you have done.*Answered on/s);
    expect(unproved.body).not.toMatch(/ data-left="|Annabel Lee|Because of it/);
  });

  test.each([
    ['before an answer', []],
    ['with a proved answer that shows nothing', [{ block_id: terms.id, answer: 'declined' }]],
  ])('uses no proof %s', async (_, answers) => {
    const { path } = await started();
    const cookie = await proved(path);
    if (answers.length > 0) await answer(path, answers, cookie);
    for (const each of [undefined, cookie]) {
      expect((await get(`${path}?${address}`, each)).body).not.toMatch(/<aside| data-left="/);
    }
  });

  test('shows what was answered without a proof, and offers none', async () => {
    const { path } = await started();
    await answer(path, signed);
    const { body } = await get(`${path}?${address}`);
    expect(body).toMatch(/Annabel Lee.*Because of it/s);
    expect(body).not.toContain('/identity');
  });
});

describe('answers that are not right', () => {
  test('are refused alike, whichever is wrong, and not repeated', async () => {
    const { path } = await journey(closed);
    const one = await post(path, wrong);
    const other = await post(path, { ...right, birth_day: '26' });
    expect([one.status, other.status]).toEqual([422, 422]);
    // What was typed stays in the form, so it is not compared.
    const page = ({ body }: { body: string }) => body.replaceAll(/ value="[^"]*"/g, '');
    expect(page(one)).toBe(page(other));
    expect(one.body).toContain('Your answers do not match what is on file');
    expect(withoutIds(one.body)).not.toMatch(/94110|Annabel/);
    expect(one.headers.get('set-cookie')).toBeNull();
    expect(one.headers.get('cache-control')).toBe('no-store');
  });

  test('say what is missing', async () => {
    const { path } = await journey(closed);
    const { status, body } = await post(path, { birth_month: '2', birth_day: '30', birth_year: '1985' });
    expect(status).toBe(422);
    expect(body).toContain('This date does not exist');
    expect(body).toContain('Enter your post code');
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
});

test('who has too little on file is told whom to turn to, and can prove nothing', async () => {
  const { path } = await journey(closed, { name_first: 'Annabel', birthdate: '1985-03-27' });
  for (const answer of [await get(path), await post(path, right)]) {
    expect(answer.body).toContain('We cannot confirm here that it is you');
    expect(answer.body).not.toMatch(/<form|Annabel/);
  }
  expect((await post(path, right)).status).toBe(422);
});

test('a page never shows what it then asks for, whatever names it', async () => {
  const page = pageOf({ content: 'Born {{birthdate}} at {{contact.post_code}}, {{when}}, {{name_first}}.' });
  const told = { id: randomUUID(), name: 'T', template_pages: [{ ...page, content_variables: { when: 'birthdate' } }] };
  await putContent(api.database, team.teamId, { templates: [told] });
  const { path } = await journey(told);
  const { body } = await get(path);
  expect(body).toContain('Born ••• at •••, •••, Annabel.');
  expect(withoutIds(body)).not.toMatch(/1985|94110/);
  expect(body).toContain(`${path}/identity?page=`);
  const cookie = cookieOf(await post(path, { ...right, page: page.page.id }));
  expect((await get(path, cookie)).body).toContain('Born 1985-03-27 at 94110-1234, 1985-03-27, Annabel.');
});
