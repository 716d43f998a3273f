import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type GatewayOptions, startGateway } from '../../../bin/local/gateway/gateway.ts';
import type { Listening } from '../../../bin/local/ports.ts';
import type { Route } from '../../../lib/route.ts';

const route = (id: string, methods: Route['methods'], path: string, access: Route['access'] = 'public'): Route => ({
  id,
  methods,
  path,
  file: '',
  access,
  grants: { read: [] },
});
const routes = [
  route('get-thing', ['GET'], '/v1/things/{id}'),
  route('change-thing', ['PUT', 'PATCH'], '/v1/things/{id}'),
  route('get-special', ['GET'], '/v1/things/special'),
  route('get-part', ['GET'], '/v1/{kind}/{id}/parts'),
  route('make-thing', ['POST'], '/v1/things'),
  route('get-owned', ['GET'], '/v1/owned', 'bearer'),
  route('create-token', ['GET'], '/oauth2/token'),
];

const many = { rateLimit: 1000, burstLimit: 1000 };
const noLimits: GatewayOptions['throttles'] = { partners: many, token: many, public: many };

/** The gateway of the last `start`. */
let gateway: Listening | undefined;
type Sent = { method?: string; headers?: OutgoingHttpHeaders | string[]; body?: string | Buffer };
type Got = { status: number; headers: IncomingMessage['headers']; body: string };

/** Starts a gateway in front of this function. Returns a function that sends it a request. */
async function start(invoke: GatewayOptions['invoke'], options: Partial<GatewayOptions> = {}) {
  const started = await startGateway(0, { routes, fallback: 'nothing', invoke, throttles: noLimits, ...options });
  gateway = started;
  return async (path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Got> => {
    const request = httpRequest({ port: started.port, host: '127.0.0.1', path, method, headers });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = await response.toArray();
    return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() };
  };
}

/** The event for a request, and the function that gets it. */
async function eventOf(path: string, sent?: Sent): Promise<{ id: string; event: APIGatewayProxyEventV2 }> {
  const send = await start(async (id, event) => ({ id, event }));
  return JSON.parse((await send(path, sent)).body);
}

/** Stops the gateway after each test of the file. The errors of functions, which it prints, are intended in these tests. */
function withGateways(): void {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await gateway?.stop(0);
    gateway = undefined;
  });
}

withGateways();

describe('the event that a function gets', () => {
  it('has the form of payload 2.0', async () => {
    const sent = { headers: { host: 'api.example.com:8443', 'user-agent': 'probe' } };
    const before = Date.now();
    const { event } = await eventOf('/v1/things/7?b=2&a=1', sent);
    const { requestContext, ...rest } = event;
    expect(rest).toEqual({
      version: '2.0',
      routeKey: 'GET /v1/things/{id}',
      rawPath: '/v1/things/7',
      rawQueryString: 'b=2&a=1',
      queryStringParameters: { b: '2', a: '1' },
      pathParameters: { id: '7' },
      headers: expect.objectContaining({ host: 'api.example.com:8443', 'user-agent': 'probe' }),
      isBase64Encoded: false,
    });
    expect(requestContext).toMatchObject({
      domainName: 'api.example.com',
      domainPrefix: 'api',
      http: {
        method: 'GET',
        path: '/v1/things/7',
        protocol: 'HTTP/1.1',
        sourceIp: '127.0.0.1',
        userAgent: 'probe',
      },
      routeKey: 'GET /v1/things/{id}',
      stage: '$default',
    });
    expect(requestContext.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(requestContext.time).toMatch(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/);
    expect(requestContext.timeEpoch).toBeGreaterThanOrEqual(before);
  });

  it('has header names in lower case, repeated headers joined by commas, and cookies apart', async () => {
    const headers = ['Host', 'x', 'X-Tag', 'one', 'x-tag', 'two', 'Cookie', 'a=1; b=2', 'Authorization', 'Bearer t'];
    const { event } = await eventOf('/v1/things/7', { headers });
    expect(event.headers).toMatchObject({ 'x-tag': 'one,two', authorization: 'Bearer t' });
    expect(event.headers).not.toHaveProperty('cookie');
    expect(event.cookies).toEqual(['a=1', 'b=2']);
  });

  it('joins repeated query parameters by commas, and keeps names that objects have by themselves', async () => {
    const { event } = await eventOf('/v1/things/7?a=1&a=2&__proto__=x&meta%5Bk%5D=a+b%20c');
    expect(event.rawQueryString).toBe('a=1&a=2&__proto__=x&meta%5Bk%5D=a+b%20c');
    const parameters = Object.entries(event.queryStringParameters ?? {});
    expect(parameters).toEqual([
      ['a', '1,2'],
      ['__proto__', 'x'],
      ['meta[k]', 'a b c'],
    ]);
  });

  it('has no query parameters, path parameters or cookies where there are none', async () => {
    const { event } = await eventOf('/v1/things', { method: 'POST' });
    for (const absent of ['queryStringParameters', 'pathParameters', 'cookies', 'body']) {
      expect(event).not.toHaveProperty(absent);
    }
  });

  const bodies = [
    { type: 'application/json', body: '{"a":"ä"}', isText: true },
    { type: 'application/json; charset=utf-8', body: '{}', isText: true },
    { type: 'application/problem+json', body: '{}', isText: true },
    { type: 'text/plain', body: 'x', isText: true },
    { type: 'application/json', body: Buffer.from('{"a":"\xe4"}', 'latin1'), isText: false },
    { type: 'application/x-www-form-urlencoded', body: 'a=1', isText: false },
    { type: 'application/octet-stream', body: Buffer.from([0, 255, 128]), isText: false },
    { type: undefined, body: 'x', isText: false },
  ];
  it.each(bodies)('has a body of type $type as text: $isText', async ({ type, body, isText }) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const { event } = await eventOf('/v1/things', { method: 'POST', headers, body });
    expect(event.isBase64Encoded).toBe(!isText);
    expect(Buffer.from(event.body ?? '', isText ? 'utf8' : 'base64')).toEqual(Buffer.from(body));
  });

  it('has a compressed body in base64, whatever its type', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const { event } = await eventOf('/v1/things', { method: 'POST', headers, body: Buffer.from([31, 139]) });
    expect(event).toMatchObject({ isBase64Encoded: true, body: 'H4s=' });
  });
});

describe('the route that a request takes', () => {
  const cases = [
    ['GET', '/v1/things/7', 'get-thing', { id: '7' }],
    ['PUT', '/v1/things/7', 'change-thing', { id: '7' }],
    ['PATCH', '/v1/things/7', 'change-thing', { id: '7' }],
    ['GET', '/v1/things/special', 'get-special', undefined],
    ['PUT', '/v1/things/special', 'change-thing', { id: 'special' }],
    ['GET', '/v1/things/7/parts', 'get-part', { kind: 'things', id: '7' }],
    ['GET', '/v1/things/a%2Fb%20%C3%A4', 'get-thing', { id: 'a/b ä' }],
    ['GET', '/v1/%74hings/7', 'get-thing', { id: '7' }],
    ['GET', 'http://elsewhere/v1/things/7', 'get-thing', { id: '7' }],
    ['GET', '/v1/things/', 'nothing', undefined],
    ['GET', '/v1/things/7/', 'nothing', undefined],
    ['GET', '//v1/things/7', 'nothing', undefined],
    ['DELETE', '/v1/things/7', 'nothing', undefined],
    ['OPTIONS', '/v1/things', 'nothing', undefined],
    ['GET', '/', 'nothing', undefined],
  ] as const;
  it.each(cases)('%s %s goes to %s', async (method, path, id, parameters) => {
    const taken = await eventOf(path, { method });
    expect(taken.id).toBe(id);
    expect(taken.event.pathParameters).toEqual(parameters);
    expect(taken.event.requestContext.routeKey === '$default').toBe(id === 'nothing');
  });

  it('HEAD goes where GET goes, and its answer has no body', async () => {
    const send = await start(async (id) => ({ statusCode: id === 'get-thing' ? 200 : 404, body: id }));
    expect(await send('/v1/things/7', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
  });

  it('hands over the path decoded and the query string as it was sent', async () => {
    const { event } = await eventOf('/v1/things/a%20b?q=a%20b?c');
    expect(event).toMatchObject({ rawPath: '/v1/things/a b', rawQueryString: 'q=a%20b?c' });
  });
});

describe('a gateway that stops', () => {
  it('answers what is under way', async () => {
    const begun = Promise.withResolvers<void>();
    const send = await start(async () => {
      begun.resolve();
      await new Promise((resolve) => setTimeout(resolve, 100));
      return { statusCode: 200, body: 'done' };
    });
    const answer = send('/');
    await begun.promise;
    await gateway?.stop(2000);
    expect(await answer).toMatchObject({ status: 200, body: 'done' });
  });

  it('waits no longer than it was told, nor for connections that only stay open', async () => {
    const begun = Promise.withResolvers<void>();
    const send = await start(() => {
      begun.resolve();
      return new Promise(() => {});
    });
    const answer = send('/').catch((error: Error) => error);
    await begun.promise;
    await gateway?.stop(50);
    expect(await answer).toBeInstanceOf(Error);
  });
});

withGateways();

describe('the answer that a client gets', () => {
  const answered = async (result: unknown) => (await start(async () => result))('/v1/things/7');

  it('is what the function answered', async () => {
    const result = { statusCode: 201, headers: { 'X-Tag': 'a', 'x-n': 5 }, cookies: ['a=1', 'b=2'], body: 'ä' };
    const { status, headers, body } = await answered(result);
    expect({ status, body }).toEqual({ status: 201, body: 'ä' });
    expect(headers).toMatchObject({ 'x-tag': 'a', 'x-n': '5', 'set-cookie': ['a=1', 'b=2'], 'content-length': '2' });
    expect(headers['content-type']).toBe('text/plain;charset=UTF-8');
  });

  it('has one header where the function named it in two cases', async () => {
    const { headers } = await answered({ statusCode: 200, headers: { 'Content-Type': 'a/b', 'content-type': 'c/d' } });
    expect(headers['content-type']).toBe('c/d');
  });

  it('has the bytes of a base64 body', async () => {
    const { body } = await answered({ statusCode: 200, isBase64Encoded: true, body: 'aGVsbG8=' });
    expect(body).toBe('hello');
  });

  it('is a 200 with the whole value where the function gave no status', async () => {
    const { status, headers, body } = await answered({ hello: 'there' });
    expect({ status, body }).toEqual({ status: 200, body: '{"hello":"there"}' });
    expect(headers['content-type']).toBe('application/json');
  });

  const faulty: [string, unknown][] = [
    ['a status that is none', { statusCode: 'ok' }],
    ['a header that would break the line', { statusCode: 200, headers: { 'x-a': 'b\r\nc: d' } }],
    ['a body that is no text', { statusCode: 200, body: { a: 1 } }],
    ['more than 6 MB', { statusCode: 200, body: 'x'.repeat(6 * 1024 * 1024) }],
  ];
  it.each(faulty)('is the gateway’s 500 where the function answers %s', async (_, result) => {
    const { status, body } = await answered(result);
    expect({ status, body }).toEqual({ status: 500, body: '{"message":"Internal Server Error"}' });
  });

  it('is the gateway’s 500 where the function throws, and the next request is served', async () => {
    let calls = 0;
    const send = await start(async () => {
      calls += 1;
      if (calls === 1) throw new Error('broken');
      return { statusCode: 200 };
    });
    expect(await send('/v1/things/7')).toMatchObject({ status: 500, body: '{"message":"Internal Server Error"}' });
    expect(await send('/v1/things/7')).toMatchObject({ status: 200 });
  });

  it('is the gateway’s 503 where the function takes too long', async () => {
    const send = await start(() => new Promise(() => {}), { timeoutMilliseconds: 30 });
    expect(await send('/v1/things/7')).toMatchObject({ status: 503, body: '{"message":"Service Unavailable"}' });
  });

  it.each([
    ['a route with a token', 3, '/v1/owned'],
    ['the token endpoint', 2, '/oauth2/token'],
    ['another public route', 1, '/v1/things/special'],
    ['a path without a route', 1, '/unknown'],
  ])('is the gateway’s 429 beyond the rate of %s, whatever other routes get', async (_, burst, path) => {
    const limit = (burstLimit: number) => ({ rateLimit: 0.01, burstLimit });
    const throttles = { partners: limit(3), token: limit(2), public: limit(1) };
    const send = await start(async () => ({ statusCode: 200 }), { throttles });
    for (let sent = 0; sent < burst; sent += 1) expect((await send(path)).status).toBe(200);
    const { status, headers, body } = await send(path);
    expect({ status, body }).toEqual({ status: 429, body: '{"message":"Too Many Requests"}' });
    expect(headers).not.toHaveProperty('retry-after');
    expect((await send(path, { method: 'HEAD' })).status).toBe(path === '/unknown' ? 429 : 200);
    expect((await send('/v1/things/7')).status).toBe(200);
  });

  it('is no 429 because the clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const throttles = { ...noLimits, public: { rateLimit: 1000, burstLimit: 1 } };
      const send = await start(async () => ({ statusCode: 200 }), { throttles });
      expect((await send('/')).status).toBe(200);
      vi.setSystemTime(Date.now() - 3_600_000);
      await sleep(10);
      expect((await send('/')).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('what never reaches a function', () => {
  const never: GatewayOptions['invoke'] = async () => {
    throw new Error('a function was called');
  };

  const large = [
    ['an event over 6 MB', Buffer.alloc(6 * 1024 * 1024, 'x')],
    ['an event over 6 MB because of what must be escaped', Buffer.alloc(4 * 1024 * 1024, '"')],
    ['a body over 10 MB', Buffer.alloc(11 * 1024 * 1024, 'x')],
  ] as const;
  it.each(large)('%s is 413', async (_, body) => {
    const send = await start(never);
    const headers = { 'content-type': 'application/json' };
    const answer = await send('/v1/things', { method: 'POST', headers, body });
    expect(answer).toMatchObject({ status: 413, body: '{"message":"Request Entity Too Large"}' });
  });

  it('a body of 4 MB does reach it', async () => {
    const send = await start(async (_, event) => String((event as APIGatewayProxyEventV2).body?.length));
    const body = Buffer.alloc(4 * 1024 * 1024, 'x');
    const answer = await send('/v1/things', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(answer).toMatchObject({ status: 200, body: '4194304' });
  });

  it.each(['/v1/things/%zz', '/v1/things/%', '/v1/things/%ff'])('%s is 400', async (path) => {
    const send = await start(never);
    expect(await send(path)).toMatchObject({ status: 400, body: '{"message":"Bad Request"}' });
  });

  it('a request line and headers of more than 10,240 bytes are 431, and the gateway lives on', async () => {
    const send = await start(async () => ({ statusCode: 200 }));
    // Node.js counts the URL and the names and values of the headers.
    const headers = ['host', 'localhost', 'x-large', 'x'.repeat(5000)];
    const url = (bytes: number) =>
      `/${'y'.repeat(bytes - headers.join('').length - 'connectionkeep-alive'.length - 1)}`;
    expect(await send(url(10_240), { headers })).toMatchObject({ status: 200 });
    const refused = await send(url(10_241), { headers });
    expect(refused).toMatchObject({ status: 431, body: '{"message":"Request Header Fields Too Large"}' });
    expect(refused.headers).not.toHaveProperty('retry-after');
    expect(await send('/')).toMatchObject({ status: 200 });
  });

  it('what is no HTTP is 400', async () => {
    await start(never);
    const socket = connect(gateway?.port ?? 0, '127.0.0.1').end('hello\r\n\r\n');
    expect(Buffer.concat(await socket.toArray()).toString()).toMatch(
      /^HTTP\/1.1 400 [\s\S]*\{"message":"Bad Request"\}$/,
    );
  });

  it('a client that goes away in the middle of its body disturbs nobody', async () => {
    const send = await start(async () => ({ statusCode: 200 }));
    const socket = connect(gateway?.port ?? 0, '127.0.0.1');
    socket.write('POST /v1/things HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf');
    await once(socket, 'connect');
    socket.destroy();
    expect(await send('/')).toMatchObject({ status: 200 });
  });
});
