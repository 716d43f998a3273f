import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { loadContact } from '../../lib/store/contacts.ts';
import { putContent } from '../support/content.ts';
import { service } from '../support/service.ts';

/** Contract, section 3, except batches and lists: what the checks of test/acceptance leave open. */
const api = await service();
const team = await api.newTeam();
const { token } = team;
const post = (body: object) => api.request('POST', '/v1/contacts', { token, body });
const put = (id: string, body: object) => api.request('PUT', `/v1/contacts/${id}`, { token, body });
const get = (id: string) => api.request('GET', `/v1/contacts/${id}`, { token });
const stored = async (fields: object) => (await get((await post({ unique_id: randomUUID(), ...fields })).body.id)).body;

test('an upsert of what was returned changes nothing', async () => {
  const before = await stored({ name_first: 'Ann', email_opted_in: false, meta_private: { a: [1, { b: null }] } });
  expect((await put(before.id, before)).body).toEqual(before);
});

test('a PUT with an unknown template is 422 and writes nothing', async () => {
  const { id } = await stored({});
  const { status, body } = await put(id, { city: 'Oslo', journey: { template_id: randomUUID() } });
  expect([status, body.details]).toMatchObject([422, [{ path: '/journey/template_id' }]]);
  expect((await get(id)).body.city).toBeNull();
});

test('twenty concurrent upserts of one new unique_id make one contact', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => post({ unique_id: 'raced', meta_public: { [`k${n}`]: 1 } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  const id = answers[0]!.body.id;
  expect(Object.keys((await get(id)).body.meta_public)).toHaveLength(20);
  const { body } = await api.request('GET', '/v1/contacts?search=raced', { token });
  expect(body.contacts.map((contact: { id: string }) => contact.id)).toEqual([id]);
});

test('objectives that are global count for every team; those of another team are just unknown fields', async () => {
  const objective = async (owner: string | null, key: string) => {
    const id = randomUUID();
    await putContent(api.database, owner, { objectives: [{ id, key, name: key }] });
    return id;
  };
  const key = `global-${randomUUID()}`;
  const own = await objective(null, key);
  await objective((await api.newTeam()).teamId, 'foreign');
  const contact = await stored({ [key]: true, foreign: true });
  const { completions } = (await loadContact(api.database, team.teamId, contact.id))!.contact;
  expect(completions).toEqual({ [own]: contact.inserted_at });
});
