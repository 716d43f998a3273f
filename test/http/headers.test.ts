import { beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '../../lib/route.ts';
import { routes } from '../../lib/routes.ts';
import { service, type TestService, type TestTeam } from '../support/service.ts';

let api: TestService;
let team: TestTeam;
beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
});

const known: readonly Route[] = routes;

describe('every response', () => {
  const requests = known.flatMap(({ methods, path, access }) =>
    methods.map((method) => ({ method, path: path.replaceAll(/\{\w+\}/g, 'x'), isPrivate: access === 'bearer' })),
  );

  test.each(requests)('to $method $path has a request id and no guessed type', async ({ method, path, isPrivate }) => {
    const token = isPrivate ? { token: team.token } : {};
    for (const sent of [token, { ...token, body: 'x' }].slice(0, method === 'GET' ? 1 : 2)) {
      const { headers } = await api.request(method, path, sent);
      expect(headers.get('x-request-id')).toBeTruthy();
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      if (isPrivate) expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  test('behind a token is not kept either when the token is refused', async () => {
    const { status, headers } = await api.request('GET', '/v1/contacts', { token: 'x' });
    expect([status, headers.get('cache-control')]).toEqual([401, 'no-store']);
  });

  test('to what no route matches has them, too', async () => {
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['DELETE', '/v1/contacts'],
    ] as const) {
      const { headers } = await api.request(method, path);
      expect([headers.get('x-content-type-options'), headers.has('x-request-id')]).toEqual(['nosniff', true]);
    }
  });
});

test('compression comes through the gateway', async () => {
  const ask = (encoding: string) =>
    fetch(new URL('/openapi.json', api.baseUrl), { headers: { 'accept-encoding': encoding } });
  const [packed, plain] = [await ask('gzip'), await ask('identity')];
  expect([packed.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual(['gzip', null]);
  expect(Number(packed.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 4);
  expect(await packed.json()).toEqual(await plain.json());
});

describe('HEAD', () => {
  const readable = known.filter(({ methods }) => (methods as readonly string[]).includes('GET'));

  test.each(readable)('of $path is answered as GET, without the body', async ({ path, access }) => {
    const address = path.replaceAll(/\{\w+\}/g, 'x');
    const sent = access === 'bearer' ? { token: team.token } : {};
    const [get, head] = [await api.request('GET', address, sent), await api.request('HEAD', address, sent)];
    expect([head.status, head.body]).toEqual([get.status, undefined]);
    const varying = ['x-request-id', 'apigw-requestid', 'date', 'content-length', 'connection', 'keep-alive'];
    const own = ({ headers }: typeof get) => [...headers].filter(([name]) => !varying.includes(name));
    expect(own(head)).toEqual(own(get));
  });
});

describe('a body at an endpoint that needs no token', () => {
  const large = `{"type":"page_viewed","x":"${'x'.repeat(16 * 1024)}"}`;
  const open = known.filter(
    ({ methods, access }) => access === 'public' && (methods as readonly string[]).includes('POST'),
  );

  test.each(open)('of more than 16 KB is refused by $path before anything is looked at', async ({ path }) => {
    const answer = await api.request('POST', path.replaceAll(/\{\w+\}/g, 'x'), { body: large });
    expect([answer.status, answer.body.error]).toEqual([413, 'payload_too_large']);
  });
});
