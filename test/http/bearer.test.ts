import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../lib/routes.ts';
import { service, type TestResponse, type TestService, type TestTeam } from '../support/service.ts';

/** Which tokens are refused is tested in test/auth/verifier.test.ts. */
let api: TestService;
let team: TestTeam;
beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
});

function expectRefusal({ status, headers, body }: TestResponse, challenge: string): void {
  expect(status).toBe(401);
  expect(body).toEqual({ error: 'invalid_token' });
  expect(headers.get('www-authenticate')).toBe(challenge);
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('x-request-id')).toBeTruthy();
}

describe('every endpoint behind a token', () => {
  const guarded = routes
    .filter(({ access }) => access === 'bearer')
    .flatMap(({ methods, path }) => methods.map((method) => ({ method, path: path.replaceAll(/\{\w+\}/g, 'none') })));

  test.each(guarded)('asks for it first: $method $path', async ({ method, path }) => {
    const body = method === 'GET' ? {} : { body: '{', headers: { 'content-type': 'text/plain' } };
    expectRefusal(await api.request(method, `${path}?limit=x`, body), 'Bearer');
  });

  test('never reads one from the body', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = `access_token=${team.token}`;
    expectRefusal(await api.request('POST', '/v1/contacts', { body, headers }), 'Bearer');
  });
});

describe('what belongs to another team', () => {
  test('does not exist: reading and changing it is 404, as for what nobody has', async () => {
    const other = await api.newTeam();
    const made = await api.request('POST', '/v1/contacts', { token: team.token, body: { unique_id: 'c1' } });
    expect(made.status).toBe(201);
    const { id } = made.body;
    const { token } = other;
    const answers = await Promise.all(
      [id, crypto.randomUUID()].map(async (each) => {
        const all = await Promise.all([
          api.request('GET', `/v1/contacts/${each}`, { token }),
          api.request('PATCH', `/v1/contacts/${each}`, { token, body: { city: 'Bern' } }),
          api.request('GET', `/v1/contacts/${each}/accounts`, { token }),
        ]);
        return all.map(({ status, body }) => ({ status, body: { ...body, request_id: '' } }));
      }),
    );
    expect(answers[0]!.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(answers[0]).toEqual(answers[1]);
    expect((await api.request('GET', '/v1/contacts', { token })).body.contacts).toEqual([]);
    const own = await api.request('POST', '/v1/contacts', { token, body: { unique_id: 'c1' } });
    expect([own.status, own.body.id === id]).toEqual([201, false]);
  });
});
