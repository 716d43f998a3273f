import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { loadContact } from '../../../lib/store/contacts/contacts.ts';
import { putContent } from '../../support/operations/content.ts';
import { service } from '../../support/service/service.ts';

/** Contract, section 3: what the checks of test/judges/acceptance leave open. */
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

test('a unique_id that no contact can have lists nobody, and beyond a text is 400, as is such a search', async () => {
  const list = (query: string) => api.request('GET', `/v1/contacts?${query}`, { token });
  for (const nobody of ['\ufffd', '\u{1f600}'.repeat(500)]) {
    const { status, body } = await list(`unique_id=${encodeURIComponent(nobody)}`);
    expect([status, body.contacts]).toEqual([200, []]);
  }
  for (const path of ['unique_id', 'search']) {
    expect(await list(`${path}=${'x'.repeat(1025)}`)).toMatchObject({ status: 400, body: { details: [{ path }] } });
  }
});
