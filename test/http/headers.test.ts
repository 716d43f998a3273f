import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { beforeAll, describe, expect, test } from 'vitest';
import { httpHandler } from '../../lib/http/handler.ts';
import type { Reply } from '../../lib/http/reply.ts';
import type { Route } from '../../lib/route.ts';
import { routes } from '../../lib/routes.ts';
import { gzip } from '../../lib/runtime/base.ts';
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

const answerOf = (reply: Reply, { baseUrl = 'https://api.example.com', headers = {} } = {}) =>
  httpHandler(
    () => ({ logger: { info: () => {}, error: () => {} }, metricFields: () => ({}), now: () => 0, baseUrl, gzip }),
    'get-openapi',
    () => reply,
  )({
    headers,
    requestContext: { requestId: 'request-1', http: { method: 'GET' } },
  } as unknown as APIGatewayProxyEventV2);

test('browsers are told to keep to https where the base address is https, and only there', async () => {
  const secure = await answerOf({ status: 200, body: {} });
  expect(secure.headers?.['strict-transport-security']).toBe('max-age=31536000');
  const plain = await answerOf({ status: 200, body: {} }, { baseUrl: 'http://127.0.0.1:3000' });
  expect(plain.headers).not.toHaveProperty('strict-transport-security');
});

describe('compression', () => {
  const gzip = { headers: { 'accept-encoding': 'br, gzip' } };
  const large = { text: 'ä'.repeat(2048) };

  test.each<[what: string, reply: Reply, text: string]>([
    ['JSON', { status: 200, body: large }, JSON.stringify(large)],
    ['an error', { status: 422, body: large }, JSON.stringify(large)],
    ['HTML', { status: 200, content: { type: 'text/html; charset=utf-8', text: 'x'.repeat(4096) } }, 'x'.repeat(4096)],
  ])('is used for %s of 4 KB and more', async (_, reply, text) => {
    const { body = '', headers, isBase64Encoded } = await answerOf(reply, gzip);
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(isBase64Encoded).toBe(true);
    expect(gunzipSync(Buffer.from(body, 'base64')).toString('utf8')).toBe(text);
  });

  test('varies beside what the response varies by already', async () => {
    const { headers } = await answerOf({ status: 200, body: large, headers: { vary: 'cookie' } }, gzip);
    expect(headers?.vary).toBe('cookie, accept-encoding');
  });

  test.each(['', 'br', 'identity', 'gzip;q=0', 'br, gzip; q=0.0'])(
    'is not used for a client that accepts %j, which caches are told',
    async (accepted) => {
      const { body, headers } = await answerOf(
        { status: 200, body: large },
        { headers: { 'accept-encoding': accepted } },
      );
      expect([body, headers?.['content-encoding'], headers?.vary]).toEqual([
        JSON.stringify(large),
        undefined,
        'accept-encoding',
      ]);
    },
  );

  test('is not used for what is small, or is neither JSON nor HTML', async () => {
    const image = { type: 'image/gif', text: 'x'.repeat(8192), base64: true };
    for (const reply of [
      { status: 200, body: { a: 1 } },
      { status: 200, content: image },
    ]) {
      expect((await answerOf(reply, gzip)).headers).not.toHaveProperty('content-encoding');
    }
  });

  test('comes through the gateway', async () => {
    const ask = (encoding: string) =>
      fetch(new URL('/openapi.json', api.baseUrl), { headers: { 'accept-encoding': encoding } });
    const [packed, plain] = [await ask('gzip'), await ask('identity')];
    expect([packed.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual(['gzip', null]);
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 4);
    expect(await packed.json()).toEqual(await plain.json());
  });
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
