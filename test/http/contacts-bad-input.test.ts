import { beforeAll, describe, expect, test } from 'vitest';
import { service, type TestService, type TestTeam } from '../support/service.ts';

/** Bodies that attack parsers: each gets its documented response and stores nothing. */
let api: TestService;
let team: TestTeam;
beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
});

const post = (body: string) => api.request('POST', '/v1/contacts', { token: team.token, body });
const all = async () => (await api.request('GET', '/v1/contacts', { token: team.token })).body.contacts;

describe('a body', () => {
  test.each([
    [
      '4 MB of metadata in one array',
      JSON.stringify({ unique_id: 'bad', meta_public: { a: Array.from({ length: 1_500_000 }, () => 0) } }),
      '/meta_public',
    ],
    [
      'metadata nested 900 deep under a long key',
      `{"unique_id":"bad","meta_public":{"${'k'.repeat(17_000)}":${'['.repeat(900)}1${']'.repeat(900)}}}`,
      '/meta_public',
    ],
    ['a lone surrogate in a field', '{"unique_id":"bad","name_first":"\\ud800"}', '/name_first'],
    ['a lone surrogate in the unique_id', '{"unique_id":"bad\\udfff"}', '/unique_id'],
    ['a lone surrogate in a metadata key', '{"unique_id":"bad","meta_public":{"\\ud800":1}}', '/meta_public'],
    ['a lone surrogate in a metadata value', '{"unique_id":"bad","meta_private":{"a":["\\ud800"]}}', '/meta_private'],
  ])('with %s is 422', async (_, body, path) => {
    const answer = await post(body);
    expect(answer.status).toBe(422);
    expect(answer.body.details).toMatchObject([{ path }]);
    expect(await all()).toEqual([]);
  });
});

describe('what is unusual but right', () => {
  const stored = async (text: string) => {
    const created = await post(text);
    expect(created.status).toBe(201);
    const response = await fetch(new URL(`/v1/contacts/${created.body.id}`, api.baseUrl), {
      headers: { authorization: `Bearer ${team.token}` },
    });
    return response.text();
  };

  test('NUL is a character like any other', async () => {
    const text = await stored(
      '{"unique_id":"nul\\u0000","name_first":"a\\u0000b","meta_public":{"k\\u0000":"\\u0000"}}',
    );
    expect(JSON.parse(text)).toMatchObject({
      unique_id: 'nul\u0000',
      name_first: 'a\u0000b',
      meta_public: { 'k\u0000': '\u0000' },
    });
    const found = await api.request('GET', '/v1/contacts?search=a%00B', { token: team.token });
    expect(found.body.contacts).toMatchObject([{ name_first: 'a\u0000b' }]);
  });

  test('numbers keep their value to the digit', async () => {
    const text = await stored(
      '{"unique_id":"digits","meta_public":{"a":12345678901234567890,"b":1.50,"c":-0,"d":1e3,"e":0.1}}',
    );
    expect(text).toContain('"meta_public":{"a":12345678901234567890,"b":1.5,"c":0,"d":1000,"e":0.1}');
  });

  test('the largest contact there can be is stored, listed and found', async () => {
    const wide = '\u0000'.repeat(1024);
    const fields = [
      'name_title',
      'name_first',
      'name_last',
      'name_suffix',
      'address',
      'address2',
      'city',
      'state',
      'county',
    ];
    const more = ['country', 'post_code', 'timezone', 'email'];
    const metadata = { a: '😀'.repeat(4_080) };
    const record = {
      unique_id: 'x'.repeat(1024),
      ...Object.fromEntries([...fields, ...more].map((field) => [field, wide])),
      phone_home: '1'.repeat(1024),
      meta_public: metadata,
      meta_private: metadata,
    };
    expect(JSON.parse(await stored(JSON.stringify(record)))).toMatchObject({ ...record, email: wide });
    const found = await api.request('GET', `/v1/contacts?search=${'x'.repeat(1024)}&sort_column=email`, {
      token: team.token,
    });
    expect(found.body.contacts).toHaveLength(1);
  });
});
