import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { service, type TestService, type TestTeam } from '../support/service.ts';

/** Contract, section 3: `POST /v1/contacts` with `contacts`. */
let api: TestService;
let team: TestTeam;
beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
});

const post = (body: unknown, token = team.token) => api.request('POST', '/v1/contacts', { token, body });
const idsOf = (contacts: { unique_id: string }[]) => contacts.map(({ unique_id }) => unique_id);
const pathsOf = (body: { details: { path: string }[] }) => body.details.map(({ path }) => path);
const many = (count: number, of: (n: number) => object) => Array.from({ length: count }, (_, n) => of(n));

describe('a batch', () => {
  test('may hold records that are contacts by email', async () => {
    const { body } = await post({ contacts: [{ email: 'batch@x' }, { unique_id: 'batch@x', name_first: 'Ann' }] });
    expect(body.new_contacts).toMatchObject([{ unique_id: 'batch@x', email: 'batch@x', name_first: 'Ann' }]);
  });
});

describe('one bad record', () => {
  test('is 422 naming every bad index, and nothing of the batch is written', async () => {
    const { token } = await api.newTeam();
    const contacts = [
      { unique_id: 'good' },
      { unique_id: 'a', name_first: 5, email_verified: 'yes' },
      {},
      5,
      { unique_id: 'b', 'a/b~c': 1, meta_public: { '\ud800': 1 } },
      { unique_id: 'c', journey: { template_id: randomUUID() } },
      { unique_id: 'also good' },
    ];
    const { status, body } = await post({ contacts }, token);
    expect(status).toBe(422);
    expect(pathsOf(body)).toEqual([
      '/contacts/1/name_first',
      '/contacts/1/email_verified',
      '/contacts/2/unique_id',
      '/contacts/3',
      '/contacts/4/meta_public',
      '/contacts/5/journey/template_id',
    ]);
    expect((await api.request('GET', '/v1/contacts', { token })).body.contacts).toEqual([]);
  });

  test('that only merging finds is named too', async () => {
    const { token } = await api.newTeam();
    const half = 'x'.repeat(10_000);
    await post({ contacts: [{ unique_id: 'a', meta_public: { a: half } }] }, token);
    const contacts = [{ unique_id: 'new' }, { unique_id: 'a', meta_public: { b: half } }, { unique_id: 'c', city: 5 }];
    const { status, body } = await post({ contacts }, token);
    expect(status).toBe(422);
    expect(pathsOf(body)).toEqual(['/contacts/1/meta_public', '/contacts/2/city']);
    expect(idsOf((await api.request('GET', '/v1/contacts', { token })).body.contacts)).toEqual(['a']);
  });
});

test('a batch whose answer would exceed 5 MB is 413, before anything is written', async () => {
  const { token } = await api.newTeam();
  const half = 'x'.repeat(7_000);
  const sent = (part: string) => many(400, (n) => ({ unique_id: `u${n}`, meta_private: { [part]: half } }));
  for (const contacts of [sent('a'), sent('b').slice(0, 200), sent('b').slice(200)]) {
    expect((await post({ contacts }, token)).status).toBe(200);
  }
  const refused = await post({ contacts: many(400, (n) => ({ unique_id: `u${n}`, city: 'Oslo' })) }, token);
  expect(refused.status).toBe(413);
  expect(refused.body).toMatchObject({ error: 'payload_too_large' });
  const { body } = await post({ unique_id: 'u7' }, token);
  expect(body.city).toBeNull();
});

test('a batch sent again is safe, and lists its contacts as existing', async () => {
  const contacts = many(30, (n) => ({ unique_id: `again${n}`, name_first: `n${n}` }));
  const first = await post({ contacts });
  const second = await post({ contacts });
  expect(idsOf(first.body.new_contacts)).toEqual(
    contacts.map((contact) => (contact as { unique_id: string }).unique_id),
  );
  expect(second.body.new_contacts).toEqual([]);
  const shown = second.body.existing_contacts.map(({ meta_private: _, ...contact }: { meta_private: null }) => contact);
  expect(shown).toEqual(first.body.new_contacts);
});
