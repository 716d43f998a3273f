import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { contactRequests } from '../support/contact-requests.ts';

/** Contract, section 3, except batches and lists: what the checks of test/acceptance leave open. */
const { send, post, get, stored, faults } = await contactRequests();

describe('one contact posted', () => {
  test('keeps updated_at where nothing changes', async () => {
    const first = await post({ unique_id: 'same', name_first: 'Ann' });
    const second = await post({ unique_id: 'same', name_first: 'Ann' });
    expect(second.body.updated_at).toBe(first.body.updated_at);
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
  test('a unique_id has at most 1,024 bytes', async () => {
    expect(await faults({ unique_id: 'é'.repeat(513) })).toEqual(['/unique_id']);
    expect(await faults({ unique_id: '😀'.repeat(257) })).toEqual(['/unique_id']);
    expect(await faults({ unique_id: null, email: 'é'.repeat(600) })).toEqual(['/email']);
  });
});

describe('an upsert', () => {
  test('of what was returned changes nothing', async () => {
    const before = await stored({ name_first: 'Ann', email_opted_in: false, meta_private: { a: [1, { b: null }] } });
    const { body } = await send('PUT', `/v1/contacts/${before.id}`, before);
    expect(body).toEqual(before);
  });
});

describe('PUT and PATCH', () => {
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
