import { beforeAll, expect, test } from 'vitest';
import { service, type TestService, type TestTeam } from '../support/service.ts';

/** Contract, section 3: `POST /v1/contacts` with `contacts`, what the checks of test/acceptance leave open. */
let api: TestService;
let team: TestTeam;
beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
});

const post = (contacts: object[]) => api.request('POST', '/v1/contacts', { token: team.token, body: { contacts } });

test('a record that only merging finds is named beside the others, and nothing is written', async () => {
  const half = 'x'.repeat(10_000);
  await post([{ unique_id: 'a', meta_public: { a: half } }]);
  const contacts = [{ unique_id: 'new' }, { unique_id: 'a', meta_public: { b: half } }, { unique_id: 'c', city: 5 }];
  const { status, body } = await post(contacts);
  expect(status).toBe(422);
  expect(body.details.map(({ path }: { path: string }) => path)).toEqual([
    '/contacts/1/meta_public',
    '/contacts/2/city',
  ]);
  const { body: list } = await api.request('GET', '/v1/contacts', { token: team.token });
  expect(list.contacts.map((each: { unique_id: string }) => each.unique_id)).toEqual(['a']);
});

test('a batch whose answer would not fit is 413, before anything is written', async () => {
  // A quotation mark takes four bytes of the answer and two of the request.
  const half = '"'.repeat(3_700);
  const sent = (part: string) =>
    Array.from({ length: 220 }, (_, n) => ({ unique_id: `u${n}`, meta_private: { [part]: half } }));
  for (const contacts of [sent('a'), sent('b').slice(0, 110), sent('b').slice(110)]) {
    expect((await post(contacts)).status).toBe(200);
  }
  const refused = await post(sent('c').map(({ unique_id }) => ({ unique_id, city: 'Oslo' })));
  expect([refused.status, refused.body.error]).toEqual([413, 'payload_too_large']);
  const { body } = await post([{ unique_id: 'u7' }]);
  expect(body.existing_contacts[0].city).toBeNull();
});
