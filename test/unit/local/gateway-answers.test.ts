import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import type { GatewayOptions } from '../../../bin/local/gateway/gateway.ts';
import { gateway, noLimits, start, withGateways } from './gateway.ts';

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
