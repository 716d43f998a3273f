import { describe, expect, test } from 'vitest';
import { contactList, idsIn, sent } from '../support/contact-list.ts';

/** Contract, section 3, "List". The order itself is tested in test/operations/contacts-list.test.ts. */
const { api, list, refused } = await contactList();

describe('a list', () => {
  test('takes limit and offset', async () => {
    expect(idsIn(await list('?limit=3&offset=4'))).toEqual(sent.slice(4, 7));
    expect((await list('?limit=100')).body).toMatchObject({ limit: 100, offset: 0, has_more: false });
    expect((await list('?offset=25')).body).toEqual({ contacts: [], limit: 20, offset: 25, has_more: false });
    expect((await list('?offset=5&limit=20')).body).toMatchObject({ has_more: false });
  });

  test('that would not fit into an answer is 413, never shorter than asked for', async () => {
    const { token } = await api.newTeam();
    const metadata = { a: '😀'.repeat(4_000) };
    const fields = ['name_first', 'name_last', 'address', 'address2', 'city', 'county'];
    const wide = Object.fromEntries(fields.map((field) => [field, '😀'.repeat(1024)]));
    for (const part of ['a', 'b']) {
      const contacts = Array.from({ length: 50 }, (_, n) => ({
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
});

describe('sorting', () => {
  test('is by the value as it is now', async () => {
    const { token } = await api.newTeam();
    const put = (unique_id: string, name_first: string) =>
      api.request('POST', '/v1/contacts', { token, body: { unique_id, name_first } });
    await put('a', 'x');
    await put('b', 'y');
    await put('a', 'z');
    expect(idsIn(await list('?sort_column=name_first', token))).toEqual(['b', 'a']);
    expect(idsIn(await list('?sort_column=updated_at&sort_direction=desc', token))).toEqual(['a', 'b']);
  });
});

describe('search', () => {
  test.each([
    ['FIRST 13', ['Ref-13']],
    ['ref-0', sent.slice(0, 10)],
    ['1972-02', ['Ref-12']],
    ['branch 21', ['Ref-21']],
    ['7009', ['Ref-09']],
    ['NORDMANN', sent],
  ])('for %j finds it in string fields and metadata values, whatever the case', async (search, expected) => {
    expect(idsIn(await list(`?limit=100&search=${encodeURIComponent(search)}`))).toEqual(expected);
  });

  test.each(['true', 'false', 'null', 'branch.id', 'ref-00nordmann', 'V', '%', '_', '*', '(', '\\', '"'])(
    'for %j finds nothing: no booleans, keys, structure, patterns, nor across fields',
    async (search) => {
      expect((await list(`?search=${encodeURIComponent(search)}`)).body.contacts).toEqual([]);
    },
  );

  test('goes with sort, limit and offset', async () => {
    const answer = await list('?search=branch%201&sort_column=unique_id&sort_direction=desc&limit=4&offset=2');
    const matching = sent.filter((_, n) => n === 1 || (n >= 10 && n < 20)).toReversed();
    expect(idsIn(answer)).toEqual(matching.slice(2, 6));
    expect(answer.body.has_more).toBe(true);
  });

  test('no longer finds a value that was replaced', async () => {
    const { token } = await api.newTeam();
    for (const city of ['Bergen', 'Oslo'])
      await api.request('POST', '/v1/contacts', { token, body: { unique_id: 'a', city } });
    expect(idsIn(await list('?search=bergen', token))).toEqual([]);
    expect(idsIn(await list('?search=oslo', token))).toEqual(['a']);
  });

  test('for more than a field can hold is 400', async () => {
    expect(await refused(`?search=${'x'.repeat(1025)}`)).toEqual(['search']);
  });
});

describe('what is wrong with a parameter', () => {
  const messageOf = async (query: string) => (await list(query)).body.details;

  test('is said of one that is sent twice', async () => {
    const once = 'must be sent once';
    expect(await messageOf('?limit=5&limit=5&page=1&page=2')).toEqual([{ path: 'limit', message: once }]);
    expect(await messageOf('?limit=5&l%69mit=6&search=a&search=b&offset=-1')).toEqual([
      { path: 'limit', message: once },
      { path: 'search', message: once },
      { path: 'offset', message: 'must be a whole number from 0 to 9007199254740991' },
    ]);
  });

  test('is said of an absurd offset', async () => {
    expect(await messageOf('?offset=99999999999999999999')).toEqual([
      { path: 'offset', message: 'must be a whole number from 0 to 9007199254740991' },
    ]);
    expect((await list('?offset=9007199254740991')).body).toMatchObject({ contacts: [], has_more: false });
  });
});

describe('a cursor', () => {
  const next = (answer: { body: { next_cursor?: string } }) => encodeURIComponent(answer.body.next_cursor ?? '');

  test('belongs to the query that gave it: the same parameters are taken, others are 400', async () => {
    const first = await list('?limit=6&search=NORDMANN&sort_column=birthdate');
    const same = await list(`?limit=6&search=NORDMANN&sort_column=birthdate&sort_direction=asc&cursor=${next(first)}`);
    expect(idsIn(same)).toEqual(sent.slice(6, 12));
    const differing = `?limit=7&search=x&sort_column=id&sort_direction=desc&offset=1&cursor=${next(first)}`;
    expect(await refused(differing)).toEqual(['search', 'sort_column', 'sort_direction', 'limit', 'offset']);
  });

  test('shows nothing of the values that it holds', async () => {
    const { body } = await list('?limit=6&sort_column=name_last&search=nordmann');
    expect(Buffer.from(body.next_cursor, 'base64url').toString('latin1').toLowerCase()).not.toContain('nordmann');
  });
});
