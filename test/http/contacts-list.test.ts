import { expect, test } from 'vitest';
import { service } from '../support/service.ts';

/**
 * Contract, section 3, "List": what the checks of test/acceptance leave open. The order itself is tested in
 * test/operations/contacts-list.test.ts, and what a search finds in test/domain/contact-directory.test.ts.
 */
const api = await service();
const { token: own } = await api.newTeam();
const people = Array.from({ length: 25 }, (_, n) => ({
  unique_id: `Ref-${String(n).padStart(2, '0')}`,
  name_last: n % 2 ? 'Nordmann' : 'nordmann',
  meta_private: { branch: { city: `Branch ${n}` } },
}));
await api.request('POST', '/v1/contacts', { token: own, body: { contacts: people } });
/** The list, in the order of the response. */
const sent = people.map(({ unique_id }) => unique_id);

const list = (query: string, token = own) => api.request('GET', `/v1/contacts${query}`, { token });
const idsIn = ({ body }: { body: { contacts: { unique_id: string }[] } }) =>
  body.contacts.map((each) => each.unique_id);
const refused = async (query: string) => {
  const { status, body } = await list(query);
  expect([status, body.error]).toEqual([400, 'invalid_request']);
  return body.details.map(({ path }: { path: string }) => path);
};

test('a list that would not fit into an answer is 413, never shorter than asked for', async () => {
  const { token } = await api.newTeam();
  // A quotation mark takes four bytes of the answer and two of the request.
  const metadata = { a: '"'.repeat(7_500) };
  const fields = ['name_first', 'name_last', 'address', 'address2', 'city', 'county'];
  const wide = Object.fromEntries(fields.map((field) => [field, '"'.repeat(1024)]));
  for (const part of ['a', 'b']) {
    const contacts = Array.from({ length: 40 }, (_, n) => ({
      unique_id: `${part}${n}`,
      ...wide,
      meta_public: metadata,
      meta_private: metadata,
    }));
    await api.request('POST', '/v1/contacts', { token, body: { contacts } });
  }
  expect(await list('?limit=100', token)).toMatchObject({ status: 413, body: { error: 'payload_too_large' } });
  expect((await list('?limit=50', token)).body.contacts).toHaveLength(50);
});

test('a list is sorted and searched by the values as they are now', async () => {
  const { token } = await api.newTeam();
  const put = (unique_id: string, name_first: string) =>
    api.request('POST', '/v1/contacts', { token, body: { unique_id, name_first } });
  await put('a', 'Bergen');
  await put('b', 'Oslo');
  await put('a', 'Turku');
  expect(idsIn(await list('?sort_column=name_first', token))).toEqual(['b', 'a']);
  expect(idsIn(await list('?sort_column=updated_at&sort_direction=desc', token))).toEqual(['a', 'b']);
  expect(idsIn(await list('?search=bergen', token))).toEqual([]);
  expect(idsIn(await list('?search=turku', token))).toEqual(['a']);
});

test('a search goes with sort, limit and offset', async () => {
  const answer = await list('?search=branch%201&sort_column=unique_id&sort_direction=desc&limit=4&offset=2');
  const matching = sent.filter((_, n) => n === 1 || (n >= 10 && n < 20)).toReversed();
  expect(idsIn(answer)).toEqual(matching.slice(2, 6));
  expect(answer.body.has_more).toBe(true);
});

test('a filter goes with every other', async () => {
  const [{ updated_at: time }] = (await list('?unique_id=Ref-20')).body.contacts;
  expect(idsIn(await list(`?updated_since=${time}&search=branch&limit=2&offset=1`))).toEqual(['Ref-21', 'Ref-22']);
  expect(idsIn(await list(`?updated_since=${time}&unique_id=Ref-20&search=BRANCH`))).toEqual(['Ref-20']);
  for (const rest of ['&search=other', '&offset=1', '&updated_since=2999-01-01T00:00Z']) {
    expect(idsIn(await list(`?unique_id=Ref-20${rest}`))).toEqual([]);
  }
  const first = await list(`?updated_since=${time}&limit=3`);
  const rest = await list(`?cursor=${first.body.next_cursor}`);
  expect([...idsIn(first), ...idsIn(rest)]).toEqual(sent.slice(20));
  expect(await refused(`?cursor=${first.body.next_cursor}&updated_since=&unique_id=Ref-20`)).toEqual([
    'unique_id',
    'updated_since',
  ]);
});

test('a unique_id that no contact can have lists nobody, and beyond a text is 400, as is such a search', async () => {
  for (const nobody of ['\ufffd', '\u{1f600}'.repeat(500)]) {
    const { status, body } = await list(`?unique_id=${encodeURIComponent(nobody)}`);
    expect([status, body.contacts]).toEqual([200, []]);
  }
  for (const name of ['unique_id', 'search']) expect(await refused(`?${name}=${'x'.repeat(1025)}`)).toEqual([name]);
});

test('a cursor takes the parameters of its query, and shows nothing of the values that it holds', async () => {
  const { body } = await list('?limit=6&search=NORDMANN&sort_column=name_last');
  const same = `?limit=6&search=NORDMANN&sort_column=name_last&sort_direction=asc&cursor=${body.next_cursor}`;
  expect((await list(same)).status).toBe(200);
  const other = `?limit=7&search=x&sort_column=id&sort_direction=desc&offset=1&cursor=${body.next_cursor}`;
  expect(await refused(other)).toEqual(['search', 'sort_column', 'sort_direction', 'limit', 'offset']);
  expect(Buffer.from(body.next_cursor, 'base64url').toString('latin1').toLowerCase()).not.toContain('nordmann');
});
