import { describe, expect, it } from 'vitest';
import { eventOf, gateway, start, withGateways } from './gateway.ts';

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
