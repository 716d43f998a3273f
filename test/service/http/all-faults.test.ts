import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { service } from '../../support/service/service.ts';

test.each([
  ['/v1/batches', ['limit=0', 'cursor=q']],
  [`/v1/templates/${randomUUID()}/responses`, ['since=yesterday', 'limit=0', 'cursor=q']],
  [`/v1/journeys/${randomUUID()}/responses`, ['limit=0', 'cursor=q']],
  ['/v1/events', ['type=sung', 'limit=0', 'cursor=q']],
])('all wrong parameters of %s are reported together', async (path, query) => {
  const api = await service();
  const { token } = await api.newTeam();
  const { status, body } = await api.request('GET', `${path}?${query.join('&')}`, { token });
  const paths = body.details.map((each: { path: string }) => each.path);
  expect([status, paths.sort()]).toEqual([400, query.map((each) => each.split('=')[0]).sort()]);
});

test('all errors of a contact are reported together, also one that only what is stored shows', async () => {
  const api = await service();
  const { token } = await api.newTeam();
  const manyIn = (key: string) => ({ [key]: Array.from({ length: 600 }, (_, n) => n) });
  const send = (fields: object) =>
    api.request('POST', '/v1/contacts', { token, body: { contacts: [{ unique_id: 'a', ...fields }] } });
  expect((await send({ meta_public: manyIn('one') })).status).toBe(200);
  const { status, body } = await send({ meta_public: manyIn('two'), city: 5 });
  const paths = body.details.map((each: { path: string }) => each.path);
  expect([status, paths.sort()]).toEqual([422, ['/contacts/0/city', '/contacts/0/meta_public']]);
});
