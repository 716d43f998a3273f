import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { contactRequests } from '../support/contact-requests.ts';

/** Contract, section 3, except batches, lists and the values of fields: every sentence, tested with HTTP. */
const { api, send, post, get, stored, faults } = await contactRequests();

describe('a returned contact', () => {
  test('has every field of the table, null where unset, and birthdate, id and both timestamps', async () => {
    const { status, body } = await post({ unique_id: 'every-field' });
    expect(status).toBe(201);
    const { id, unique_id, inserted_at, updated_at, ...unset } = (await get(body.id)).body;
    expect(unique_id).toBe('every-field');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(inserted_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(updated_at).toBe(inserted_at);
    expect(Math.abs(Date.parse(inserted_at) - Date.now())).toBeLessThan(60_000);
    const fields = [
      ...['name_title', 'name_first', 'name_last', 'name_suffix', 'address', 'address2', 'city', 'state', 'county'],
      ...['country', 'post_code', 'timezone', 'email', 'phone_home', 'phone_mobile', 'phone_work', 'birthdate'],
      ...['email_verified', 'email_opted_in', 'email_authorized', 'sms_verified', 'sms_opted_in', 'sms_authorized'],
      ...['unsubscribe_email', 'unsubscribe_sms', 'meta_public', 'meta_private'],
    ];
    expect(unset).toEqual(Object.fromEntries(fields.map((field) => [field, null])));
  });

  test('has meta_private left out when the call has just created it, and nowhere else', async () => {
    const record = { unique_id: 'private', meta_private: { a: 1 }, meta_public: { b: 2 } };
    const created = await post(record);
    expect(created.status).toBe(201);
    expect(created.body).not.toHaveProperty('meta_private');
    expect(created.body.meta_public).toEqual({ b: 2 });
    const updated = await post(record);
    expect(updated.status).toBe(200);
    expect(updated.body.meta_private).toEqual({ a: 1 });
    expect((await get(created.body.id)).body.meta_private).toEqual({ a: 1 });
    expect((await send('PATCH', `/v1/contacts/${created.body.id}`, {})).body.meta_private).toEqual({ a: 1 });
  });

  test('has no journey: that is input only', async () => {
    expect(await stored({ journey: null })).not.toHaveProperty('journey');
  });
});

describe('one contact posted', () => {
  test('is 201 when it creates and 200 when it updates', async () => {
    const first = await post({ unique_id: 'twice', name_first: 'Ann' });
    const second = await post({ unique_id: 'twice', city: 'Oslo' });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toMatchObject({ id: first.body.id, name_first: 'Ann', city: 'Oslo' });
    expect(second.body.inserted_at).toBe(first.body.inserted_at);
    expect(second.body.updated_at > first.body.updated_at).toBe(true);
  });

  test('keeps updated_at where nothing changes', async () => {
    const first = await post({ unique_id: 'same', name_first: 'Ann' });
    const second = await post({ unique_id: 'same', name_first: 'Ann' });
    expect(second.body.updated_at).toBe(first.body.updated_at);
  });

  test('ignores fields that it does not know, and read-only ones', async () => {
    const id = randomUUID();
    const body = await stored({ id, inserted_at: 'x', updated_at: 5, nickname: 'Annie', account: { number: 1 } });
    expect(body.id).not.toBe(id);
    expect(body).not.toHaveProperty('nickname');
    expect(body).not.toHaveProperty('account');
  });

  test.each([
    ['name_first', 5],
    ['email', {}],
    ['email_verified', 'true'],
    ['sms_opted_in', 1],
    ['unsubscribe_email', 'no'],
    ['meta_public', []],
    ['meta_private', 'x'],
    ['journey', 'x'],
    ['birthdate', 19700101],
    ['phone_home', 5551234567],
  ])('with %s of the wrong JSON type is 422', async (field, value) => {
    expect(await faults({ [field]: value })).toEqual([`/${field}`]);
  });

  test('has all its faults named together, and then nothing of it stored', async () => {
    const record = { name_first: 5, phone_work: 'x', birthdate: '2023-02-29', journey: { template_id: 'none' } };
    const { status, body } = await post({ email: 'all-faults@x', ...record });
    expect(status).toBe(422);
    expect(body.details.map(({ path }: { path: string }) => path).sort()).toEqual(
      ['/birthdate', '/journey/template_id', '/name_first', '/phone_work'].sort(),
    );
    expect((await post({ email: 'all-faults@x' })).status).toBe(201);
  });
});

describe('identity', () => {
  test('falls back on email, which then is the unique_id too', async () => {
    const created = await post({ email: 'fall@back', name_first: 'Ann' });
    expect(created.body).toMatchObject({ unique_id: 'fall@back', email: 'fall@back' });
    const again = await post({ email: 'fall@back' });
    expect(again).toMatchObject({ status: 200, body: { id: created.body.id } });
    expect((await post({ unique_id: 'fall@back' })).body.id).toBe(created.body.id);
  });

  test('is looked up as a unique_id, byte for byte, never in the email field', async () => {
    const { body: other } = await post({ unique_id: 'has-email', email: 'literal@x' });
    const { status, body } = await post({ email: 'literal@x' });
    expect(status).toBe(201);
    expect(body.id).not.toBe(other.id);
    expect((await post({ email: 'Literal@x' })).status).toBe(201);
  });

  test.each([[null], [''], ['  '], ['\t\n']])('a unique_id of %j counts as absent', async (unique_id) => {
    const { body } = await post({ unique_id, email: `absent${JSON.stringify(unique_id)}` });
    expect(body.unique_id).toBe(`absent${JSON.stringify(unique_id)}`);
  });

  test.each([{}, { unique_id: '' }, { email: ' ' }, { unique_id: null, email: null }])(
    'with neither unique_id nor email, as in %j, is 422',
    async (record) => {
      const { status, body } = await post(record);
      expect(status).toBe(422);
      expect(body.details).toEqual([{ path: '/unique_id', message: 'unique_id or email is required' }]);
    },
  );

  test('beside a unique_id, email null clears the email as any null does', async () => {
    expect((await stored({ email: 'a@x' }, { email: null })).email).toBeNull();
  });

  test('a unique_id is opaque and compared byte for byte', async () => {
    const ids = ['Case', 'case', ' case', 'case ', 'é', 'e\u0301', 'a\u0000b', '😀', '../..', '#', 'x'.repeat(1024)];
    const made = await Promise.all(ids.map((unique_id) => post({ unique_id, meta_public: { of: unique_id } })));
    expect(made.map(({ status }) => status)).toEqual(ids.map(() => 201));
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(ids.length);
    for (const [n, { body }] of made.entries()) expect((await get(body.id)).body.unique_id).toBe(ids[n]);
  });

  test('a unique_id has at most 1,024 bytes', async () => {
    expect(await faults({ unique_id: 'é'.repeat(513) })).toEqual(['/unique_id']);
    expect(await faults({ unique_id: '😀'.repeat(257) })).toEqual(['/unique_id']);
    expect(await faults({ unique_id: null, email: 'é'.repeat(600) })).toEqual(['/email']);
  });

  test('changing the email later does not change the unique_id', async () => {
    const { body } = await post({ email: 'first@x' });
    const changed = await post({ unique_id: 'first@x', email: 'second@x' });
    expect(changed.body).toMatchObject({ id: body.id, unique_id: 'first@x', email: 'second@x' });
  });
});

describe('an upsert', () => {
  test('sets a field that is sent, keeps one that is absent, clears one that is null', async () => {
    expect(
      await stored({ name_first: 'Ann', city: 'Oslo', country: 'NO' }, { name_first: 'Eve', city: null }),
    ).toMatchObject({
      name_first: 'Eve',
      city: null,
      country: 'NO',
    });
  });

  test.each(['PUT', 'PATCH'])('by %s does exactly the same', async (method) => {
    const { body } = await post({
      unique_id: `by ${method}`,
      name_first: 'Ann',
      city: 'Oslo',
      meta_public: { a: 1, b: 1 },
    });
    const record = { name_first: 'Eve', city: null, meta_public: { a: { c: 2 } }, phone_home: '(555) 123-4567' };
    const updated = await send(method, `/v1/contacts/${body.id}`, record);
    expect(updated.status).toBe(200);
    expect(updated.body).toMatchObject({
      id: body.id,
      name_first: 'Eve',
      city: null,
      meta_public: { 'a.c': 2, b: 1 },
      phone_home: '15551234567',
    });
    expect((await get(body.id)).body).toEqual(updated.body);
  });

  test('of what was returned changes nothing', async () => {
    const before = await stored({ name_first: 'Ann', email_opted_in: false, meta_private: { a: [1, { b: null }] } });
    const { body } = await send('PUT', `/v1/contacts/${before.id}`, before);
    expect(body).toEqual(before);
  });
});

describe('PUT and PATCH', () => {
  test.each(['PUT', 'PATCH'])('%s with a unique_id other than the stored one is 422', async (method) => {
    const { id, unique_id } = await stored({});
    expect((await send(method, `/v1/contacts/${id}`, { unique_id })).status).toBe(200);
    const refused = await send(method, `/v1/contacts/${id}`, { unique_id: 'other', name_first: 5 });
    expect(refused.status).toBe(422);
    expect(refused.body.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/name_first',
      '/unique_id',
    ]);
  });

  test.each(['PUT', 'PATCH', 'GET'])('%s of an unknown or malformed id, or another team’s, is 404', async (method) => {
    const stranger = await api.newTeam();
    const { body } = await api.request('POST', '/v1/contacts', { token: stranger.token, body: { unique_id: 'x' } });
    for (const id of [randomUUID(), body.id, 'x', '1', body.id.slice(1), `${body.id}0`, 'x'.repeat(3_000), '%00']) {
      const answer = await send(method, `/v1/contacts/${id}`, method === 'GET' ? undefined : { name_first: 'x' });
      expect(answer.status).toBe(404);
      expect(answer.body.error).toBe('not_found');
    }
  });

  test('take an id in capitals for the same id', async () => {
    const { id } = await stored({});
    expect((await get(id.toUpperCase())).body.id).toBe(id);
  });
});

test('a journey with an unknown template is 422 and writes nothing', async () => {
  for (const template_id of [randomUUID(), 'none', '']) {
    const { status, body } = await post({ unique_id: 'journey', journey: { template_id } });
    expect(status).toBe(422);
    expect(body.details).toMatchObject([{ path: '/journey/template_id' }]);
  }
  const { status, body } = await post({ unique_id: 'journey' });
  expect(status).toBe(201);
  const put = await send('PUT', `/v1/contacts/${body.id}`, { city: 'Oslo', journey: { template_id: randomUUID() } });
  expect(put.status).toBe(422);
  expect((await get(body.id)).body.city).toBeNull();
});

test('fifty concurrent upserts of one new unique_id make one contact', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => post({ unique_id: 'raced', meta_public: { [`k${n}`]: 1 } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 49 }, () => 200), 201]);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  const id = answers[0]!.body.id;
  expect(Object.keys((await get(id)).body.meta_public)).toHaveLength(50);
  const { body } = await send('GET', '/v1/contacts?search=raced');
  expect(body.contacts.map((contact: { id: string }) => contact.id)).toEqual([id]);
});

test('a read by id sees every acknowledged write', async () => {
  const { body } = await post({ unique_id: 'counted' });
  for (let n = 0; n < 20; n++) {
    await send('PATCH', `/v1/contacts/${body.id}`, { name_first: `n${n}` });
    expect((await get(body.id)).body.name_first).toBe(`n${n}`);
  }
});
