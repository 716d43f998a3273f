import { describe, expect, test } from 'vitest';
import { methodsOf } from '../../../lib/http/methods.ts';
import type { Route } from '../../../lib/route.ts';
import { docsRoutes, routes } from '../../../lib/routes.ts';
import { service } from '../../support/service/service.ts';

describe('a path that no route knows', () => {
  test.each(['/v1', '/v1/nothing', '/v1/contacts/1/2/3', '/V1/contacts', '/openapi.json/x'])(
    '%s is not found, uncached, without a token',
    async (path) => {
      const answer = await (await service()).request('GET', path);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ error: 'not_found', message: expect.any(String), request_id: expect.any(String) });
      expect(answer.headers.get('x-request-id')).toBe(answer.body.request_id);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    },
  );
});

test.each([
  ['x-http-method-override', 'DELETE'],
  ['x-original-url', '/openapi.json'],
  ['x-rewrite-url', '/openapi.json'],
])('the header %s changes neither the method nor the path', async (name, value) => {
  const send = async (path: string) => (await service()).request('GET', path, { headers: { [name]: value } });
  expect([(await send('/v1/nothing')).status, (await send('/openapi.json')).status]).toEqual([404, 200]);
});

test.each(['GET', 'HEAD'])('%s / leads to the API reference', async (method) => {
  const { status, headers } = await (await service()).request(method, '/');
  expect([status, headers.get('location')]).toEqual([302, '/docs']);
});

test.each([
  ['/v1/contacts/', 'Remove the slash'],
  ['/contacts', '/v1/contacts'],
  ['/contacts/1/accounts', '/v1/contacts/1/accounts'],
  ['/v1/contact', 'Did you mean /v1/contacts?'],
  ['/contact', 'Did you mean /v1/contacts?'],
  ['/oauth/token', 'Did you mean /oauth2/token?'],
  ['/doc', 'The path or the object does not exist.'],
  ['/v1/contact/1/accounts', 'Did you mean /v1/contacts/{contact_id}/accounts?'],
  ['/v1/event', 'Did you mean /v1/events?'],
  ['/api/v1/contacts', 'Did you mean /v1/contacts?'],
  ['/onboarding/api/v1/batches', 'Did you mean /v1/batches?'],
  ['/v1/oauth2/token', 'Did you mean /oauth2/token?'],
  ['/v1/openapi.json', 'Did you mean /openapi.json?'],
  ['/v1/template/1/journey', 'Did you mean /v1/templates/{template_id}/journeys?'],
])('the 404 of %s helps: %s', async (path, hint) => {
  const { status, body } = await (await service()).request('GET', path);
  expect([status, body.message]).toEqual([404, expect.stringContaining(hint)]);
});

test('a 404 for a malformed id says what an id is, and nothing of what the team has', async () => {
  const api = await service();
  const teams = [await api.newTeam(), await api.newTeam()];
  await api.request('POST', '/v1/contacts', { token: teams[0]!.token, body: { unique_id: 'c-1001' } });
  const messages = teams.map(
    async ({ token }) => (await api.request('GET', '/v1/contacts/c-1001', { token })).body.message,
  );
  const [own, other] = await Promise.all(messages);
  expect(own).toContain('GET /v1/contacts?unique_id=');
  expect(other).toBe(own);
});

describe('a method that a known path does not take', () => {
  const every = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
  const known: Pick<Route, 'path' | 'methods'>[] = [...routes, ...docsRoutes, { path: '/', methods: ['GET'] }];
  const paths = Map.groupBy(known, ({ path }) => path);
  const cases = [...paths].map(([path, sharing]) => {
    const allowed = sharing.flatMap((route) => methodsOf(route.path, [route]));
    return { path, allowed, refused: every.filter((method) => !allowed.includes(method)) };
  });

  test.each(cases)('is refused for $path, uncached, with Allow: $refused', async ({ path, allowed, refused }) => {
    const api = await service();
    for (const method of refused) {
      const answer = await api.request(method, path.replaceAll(/\{\w+\}/g, 'x'));
      expect([method, answer.status]).toEqual([method, 405]);
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual([...allowed].sort());
      expect(answer.headers.get('cache-control')).toBe('no-store');
      if (method !== 'HEAD') {
        expect(answer.body).toMatchObject({
          error: 'method_not_allowed',
          request_id: answer.headers.get('x-request-id'),
        });
        for (const each of allowed) expect(answer.body.message).toContain(each);
      }
    }
  });
});
