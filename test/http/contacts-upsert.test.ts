import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadContact } from '../../lib/store/contacts.ts';
import { putContent } from '../support/content.ts';
import { service, type TestService, type TestTeam } from '../support/service.ts';

/** Contract, section 3, but for batches and lists: every sentence through HTTP. */
let api: TestService;
let team: TestTeam;
beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
});

const send = (method: string, path: string, body?: unknown) =>
  api.request(method, path, { token: team.token, ...(body === undefined ? {} : { body }) });
const post = (body: unknown) => send('POST', '/v1/contacts', body);
const get = (id: string) => send('GET', `/v1/contacts/${id}`);
/** What is stored of a contact after these records, each of which must be taken. */
async function stored(...records: object[]) {
  const unique_id = randomUUID();
  let id = '';
  for (const each of records) {
    const { status, body } = await post({ unique_id, ...each });
    expect(status).toBeLessThan(300);
    id = body.id;
  }
  return (await get(id)).body;
}
const faults = async (body: object) => {
  const answer = await post({ unique_id: randomUUID(), ...body });
  expect(answer.status).toBe(422);
  expect(answer.body.error).toBe('validation_failed');
  return answer.body.details.map(({ path }: { path: string }) => path);
};

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

describe('the deprecated fields', () => {
  test.each([
    ['email', 'unsubscribe_email', 'email_opted_in'],
    ['sms', 'unsubscribe_sms', 'sms_opted_in'],
  ])('of %s are the inverse of the new one, which wins', async (_, old, current) => {
    const both = (contact: Record<string, unknown>) => [contact[old], contact[current]];
    expect(both(await stored({}))).toEqual([null, null]);
    expect(both(await stored({ [old]: true }))).toEqual([true, false]);
    expect(both(await stored({ [old]: false }))).toEqual([false, true]);
    expect(both(await stored({ [current]: true }))).toEqual([false, true]);
    expect(both(await stored({ [old]: true, [current]: true }))).toEqual([false, true]);
    expect(both(await stored({ [current]: true }, { [old]: null }))).toEqual([null, null]);
    expect(both(await stored({ [old]: true }, { name_first: 'x' }))).toEqual([true, false]);
  });
});

describe('the flags that speak of the address on file', () => {
  const email = { email: 'a@x', email_verified: true, email_authorized: true, email_opted_in: true };
  const sms = { phone_mobile: '5551234567', sms_verified: true, sms_authorized: true, sms_opted_in: true };

  test('become false when an upsert changes or clears the email; opted_in stays', async () => {
    const withdrawn = { email_verified: false, email_authorized: false, email_opted_in: true };
    expect(await stored(email, { email: 'b@x' })).toMatchObject(withdrawn);
    expect(await stored(email, { email: null })).toMatchObject(withdrawn);
    expect(await stored(email, { email: 'a@x' })).toMatchObject(email);
    expect(await stored(email, { phone_mobile: '1' })).toMatchObject(email);
  });

  test('become false for sms when phone_mobile changes', async () => {
    const withdrawn = { sms_verified: false, sms_authorized: false, sms_opted_in: true };
    expect(await stored(sms, { phone_mobile: '5550000000' })).toMatchObject(withdrawn);
    expect(await stored(sms, { phone_mobile: null })).toMatchObject(withdrawn);
    expect(await stored(sms, { phone_mobile: '(555) 123-4567' })).toMatchObject({ sms_verified: true });
    expect(await stored(sms, { email: 'x@x' })).toMatchObject({ sms_verified: true, sms_authorized: true });
  });

  test('are as the upsert says that sends them itself', async () => {
    expect(await stored(email, { email: 'b@x', email_verified: true })).toMatchObject({
      email_verified: true,
      email_authorized: false,
    });
    expect(await stored(email, { email: 'b@x', email_verified: null })).toMatchObject({ email_verified: null });
  });

  test('are null on a new contact that does not send them', async () => {
    expect(await stored({ email: 'a@x' })).toMatchObject({ email_verified: null, email_authorized: null });
  });
});

describe('objectives', () => {
  /** `null` owns what is global. */
  const objective = async (owner: string | null, key: string) => {
    const id = randomUUID();
    await putContent(api.database, owner, { objectives: [{ id, key, name: key }] });
    return id;
  };
  const completions = async (contact: { id: string }) =>
    (await loadContact(api.database, team.teamId, contact.id))?.contact.completions ?? {};

  test('are completed by a field of their key: at a timestamp, a date, or at the time of receipt', async () => {
    const ids: string[] = [];
    for (const key of ['stamped', 'dated', 'affirmed', 'denied']) ids.push(await objective(team.teamId, key));
    const [stamped, dated, affirmed, denied] = ids;
    const contact = await stored({
      stamped: '2024-05-06T07:08:09+02:00',
      dated: '2024-05-06',
      affirmed: 'YES',
      denied: 'no',
    });
    const found = await completions(contact);
    expect(found[stamped!]).toBe('2024-05-06T05:08:09.000000Z');
    expect(found[dated!]).toBe('2024-05-06T00:00:00.000000Z');
    expect(found[affirmed!]).toBe(contact.inserted_at);
    expect(found[denied!]).toBeUndefined();
  });

  test.each([true, 1, 't', 'True', '1', 'y', 'complete', 'completed', 'done'])(
    '%j means the time of receipt',
    async (value) => {
      const key = `affirm-${JSON.stringify(value)}`;
      const id = await objective(team.teamId, key);
      const contact = await stored({ [key]: value });
      expect((await completions(contact))[id]).toBe(contact.inserted_at);
    },
  );

  test('keep their first completion, and nothing un-completes', async () => {
    const id = await objective(team.teamId, 'once');
    const contact = await stored({ once: '2024-05-06' }, { once: '2020-01-01' }, { once: false }, { once: null });
    expect((await completions(contact))[id]).toBe('2024-05-06T00:00:00.000000Z');
  });

  test('that are global count for every team; those of another team are just unknown fields', async () => {
    const key = `global-${randomUUID()}`;
    const own = await objective(null, key);
    const foreign = await objective((await api.newTeam()).teamId, 'foreign');
    const found = await completions(await stored({ [key]: true, foreign: true }));
    expect(Object.keys(found)).toEqual([own]);
    expect(found).not.toHaveProperty(foreign);
  });

  test('lose to a contact field of the same name', async () => {
    await objective(team.teamId, 'city');
    const contact = await stored({ city: 'done' });
    expect(contact.city).toBe('done');
    expect(await completions(contact)).toEqual({});
  });
});

describe('phones', () => {
  test.each([
    ['(555) 123-4567', '15551234567'],
    ['15551234567', '15551234567'],
    ['+49 30 123456', '4930123456'],
    ['123', '123'],
    ['', null],
    ['  ', null],
  ])('%j is stored as %j', async (value, expected) => {
    const { phone_home, phone_mobile, phone_work } = await stored({
      phone_home: value,
      phone_mobile: value,
      phone_work: value,
    });
    expect([phone_home, phone_mobile, phone_work]).toEqual([expected, expected, expected]);
  });

  test.each(['call me', '555-CALL', '---', '+'])('%j is 422', async (phone_mobile) => {
    expect(await faults({ phone_mobile })).toEqual(['/phone_mobile']);
  });
});

describe('values', () => {
  test('birthdate is a real calendar date', async () => {
    expect((await stored({ birthdate: '2024-02-29' })).birthdate).toBe('2024-02-29');
    for (const birthdate of ['2023-02-29', '1.1.1970', '', '1970-01-01T00:00:00Z']) {
      expect(await faults({ birthdate })).toEqual(['/birthdate']);
    }
  });

  test('strings have at most 1,024 characters', async () => {
    expect((await stored({ address: '😀'.repeat(1024) })).address).toBe('😀'.repeat(1024));
    expect(await faults({ address: 'x'.repeat(1025), email: 'x'.repeat(1025) })).toEqual(['/address', '/email']);
  });

  test('email and timezone have no format', async () => {
    expect(await stored({ email: 'not an address', timezone: 'Mars/Olympus' })).toMatchObject({
      email: 'not an address',
      timezone: 'Mars/Olympus',
    });
  });
});

describe('metadata', () => {
  test('is flattened on arrival, values kept in their type', async () => {
    const sent = {
      car: [{ make: 'Skoda', year: 2020, sold: false, price: 12.5, owner: null }, 'x'],
      'pet.name': 'Rex',
    };
    const { meta_public, meta_private } = await stored({ meta_public: sent, meta_private: sent });
    const flat = {
      'car.0.make': 'Skoda',
      'car.0.year': 2020,
      'car.0.sold': false,
      'car.0.price': 12.5,
      'car.0.owner': null,
      'car.1': 'x',
      'pet.name': 'Rex',
    };
    expect([meta_public, meta_private]).toEqual([flat, flat]);
  });

  test.each([
    ['keys sent replace all under their top-level key, others stay', { car: ['c'] }, { 'car.0': 'c', pet: 'Rex' }],
    ['a dotted key is of its top-level key', { 'car.9': 'c' }, { 'car.9': 'c', pet: 'Rex' }],
    ['a top-level key sent as null is removed', { car: null }, { pet: 'Rex' }],
    ['an empty object flattens to nothing', { car: {} }, { pet: 'Rex' }],
    ['an empty array flattens to nothing', { car: [], pet: null }, null],
    ['the whole sent as null is cleared', null, null],
    [
      'dotted keys count after nested ones',
      { 'car.a': 1, car: { a: 2, b: 3 } },
      { 'car.a': 1, 'car.b': 3, pet: 'Rex' },
    ],
  ])('%s', async (_, sent, expected) => {
    const contact = await stored({ meta_public: { car: ['a', 'b'], pet: 'Rex' } }, { meta_public: sent });
    expect(contact.meta_public).toEqual(expected);
  });

  test('that has no keys left is null', async () => {
    expect((await stored({ meta_public: {} })).meta_public).toBeNull();
  });

  test('has at most 1,000 keys and 16 KB in each of the two, merged', async () => {
    const keys = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${from + n}`, n]));
    expect(Object.keys((await stored({ meta_public: keys(0, 1000) })).meta_public)).toHaveLength(1000);
    expect(await faults({ meta_public: keys(0, 1001) })).toEqual(['/meta_public']);
    expect(await faults({ meta_private: { a: 'x'.repeat(17_000) } })).toEqual(['/meta_private']);
    const { unique_id } = await stored({ meta_public: keys(0, 1000), meta_private: { a: 'x'.repeat(10_000) } });
    const record = { unique_id, meta_public: { other: 1 }, meta_private: { b: 'x'.repeat(10_000) }, name_first: 'Ann' };
    expect(await faults(record)).toEqual(['/meta_public', '/meta_private']);
    expect((await post({ unique_id })).body.name_first).toBeNull();
  });

  test('takes __proto__ and constructor for keys like any other', async () => {
    const text = '{"unique_id":"proto","meta_public":{"__proto__":{"x":1},"constructor":"c","a":{"__proto__":2}}}';
    const created = await post(text);
    expect(created.status).toBe(201);
    const raw = await fetch(new URL(`/v1/contacts/${created.body.id}`, api.baseUrl), {
      headers: { authorization: `Bearer ${team.token}` },
    });
    expect(await raw.text()).toContain('"meta_public":{"__proto__.x":1,"a.__proto__":2,"constructor":"c"}');
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
