import { describe, expect, test } from 'vitest';
import { routes } from '../../../lib/routes.ts';
import { service, type TestResponse } from '../../support/service/service.ts';

/** Which tokens are refused is tested in test/unit/auth/verifier.test.ts. */
const api = await service();
const team = await api.newTeam();

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
