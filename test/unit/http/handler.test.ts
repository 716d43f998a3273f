import { describe, expect, test } from 'vitest';
import { Problem } from '../../../lib/domain/values/problem.ts';
import { deprecationHeaders, deprecationNotice } from '../../../lib/http/deprecation.ts';
import { compressedTag, contactTag, isExpected } from '../../../lib/http/entity-tag.ts';
import { type HttpOptions, httpHandler } from '../../../lib/http/handler.ts';
import type { Reply } from '../../../lib/http/reply.ts';
import { eventOf } from '../../support/http/event.ts';

type Line = { level: 'info' | 'error'; message: string; fields: Record<string, unknown> };

async function handle(
  respond: () => Reply,
  {
    options = {},
    event = eventOf(),
    baseUrl = 'https://api.example.com',
  }: { options?: HttpOptions; event?: ReturnType<typeof eventOf>; baseUrl?: string } = {},
) {
  const lines: Line[] = [];
  const metrics: unknown[] = [];
  let clock = 1000;
  const log = (level: Line['level']) => (message: string, fields: Line['fields']) =>
    lines.push({ level, message, fields });
  const dependencies = () => ({
    logger: { info: log('info'), error: log('error') },
    metricFields: (...input: unknown[]) => {
      metrics.push(input);
      return { measured: true };
    },
    now: () => (clock += 7),
    baseUrl,
    gzip: async (text: string) => Buffer.from(text),
  });
  const responds = () => {
    clock += 100;
    return respond();
  };
  const response = await httpHandler(dependencies as never, 'get-contact', responds, options)(event);
  return { response, lines, metrics };
}

const ok = (): Reply => ({ status: 200, body: { a: 1 } });
const fails = (error: unknown) => (): Reply => {
  throw error;
};
const id = '0f9619ff-8b86-4011-b42d-00c04fc964ff';

test('an event may hold null for what a request does not have', async () => {
  const nothing = { headers: null, cookies: null, pathParameters: null, queryStringParameters: null };
  const event = { ...eventOf({ rawQueryString: '' }), ...nothing, rawQueryString: null, body: null };
  const { response, lines } = await handle(ok, { event: event as never });
  expect(response.statusCode).toBe(200);
  expect(lines.map(({ level }) => level)).toEqual(['info']);
  expect((await handle(fails(new Problem('invalid_token')), { event: event as never })).response.statusCode).toBe(401);
});

describe('the headers of a response', () => {
  test('have the request id and forbid guesses of the type', async () => {
    const { response } = await handle(ok, { baseUrl: 'http://127.0.0.1:3000' });
    expect(response.headers).toEqual({
      'content-type': 'application/json',
      'x-request-id': 'request-1',
      'x-content-type-options': 'nosniff',
    });
  });

  test('demand HTTPS if the service has it, and forbid storing what is private', async () => {
    const { response } = await handle(ok, { options: { isPrivate: true } });
    expect(response.headers).toMatchObject({
      'cache-control': 'no-store',
      'strict-transport-security': 'max-age=31536000',
    });
    const own = await handle(() => ({ ...ok(), headers: { 'cache-control': 'private' } }), {
      options: { isPrivate: true },
    });
    expect(own.response.headers).toMatchObject({ 'cache-control': 'private' });
  });

  test('are on errors too', async () => {
    const { response } = await handle(fails(new Problem('not_found')));
    expect(response).toMatchObject({ statusCode: 404, headers: { 'x-request-id': 'request-1' } });
  });
});

describe('the log of a request', () => {
  const event = eventOf({ pathParameters: { id } });

  test('that succeeds is one line with its metrics', async () => {
    const { lines, metrics } = await handle(ok, { event });
    const ids = { requestId: 'request-1', contact_id: id };
    const fields = { method: 'GET', route: 'get-contact', status: 200, ...ids, measured: true };
    expect(lines).toEqual([{ level: 'info', message: 'request', fields }]);
    expect(metrics).toEqual([[[{ route: 'get-contact' }], { latency: 107 }]]);
  });

  test('that fails has its code and counts as an error', async () => {
    const { lines, metrics } = await handle(fails(new Problem('conflict')));
    expect(lines).toMatchObject([{ level: 'info', fields: { status: 409, code: 'conflict' } }]);
    expect(metrics).toEqual([[[{ route: 'get-contact' }, { code: 'conflict' }], { latency: 107, errors: 1 }]]);
  });

  test('that is throttled counts as that too', async () => {
    const { metrics } = await handle(fails(new Problem('too_many_requests')));
    expect(metrics).toMatchObject([[[{}, { code: 'too_many_requests' }], { errors: 1, throttles: 1 }]]);
  });

  test('with an error in its own format has the status as its code', async () => {
    const { lines, metrics } = await handle(() => ({ status: 400, body: {} }));
    expect(lines[0]!.fields).not.toHaveProperty('code');
    expect(metrics).toEqual([[[{ route: 'get-contact' }, { code: 'http_400' }], { latency: 107, errors: 1 }]]);
  });

  test.each([
    ['unavailable', 503, new Problem('unavailable', undefined, { reason: 'the table is slow' }), 'the table is slow'],
    ['internal_error', 500, new TypeError('secret'), 'unexpected error'],
  ])('that is %s has a line with the reason before it', async (code, status, error, reason) => {
    const { lines } = await handle(fails(error), { event });
    expect(lines).toMatchObject([
      {
        level: 'error',
        message: 'request failed',
        fields: { route: 'get-contact', requestId: 'request-1', contact_id: id, code, reason },
      },
      { level: 'info', message: 'request', fields: { status, code } },
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  test('of another error has no such line', async () => {
    expect((await handle(fails(new Problem('not_found')))).lines).toHaveLength(1);
    expect((await handle(() => ({ status: 500, body: {} }))).lines).toHaveLength(1);
  });
});

describe('an entity tag', () => {
  const options = { takesConditionalReads: true };
  const read = (headers: Record<string, string> = {}, respond = ok, method = 'GET') =>
    handle(respond, { options, event: eventOf({ headers, method }) }).then(({ response }) => response);

  test('is on responses that succeed, and depends on their text', async () => {
    const { headers } = await read();
    expect(headers!.etag).toMatch(/^"[\w-]{27}"$/);
    expect((await read()).headers).toEqual(headers);
    expect((await read({}, () => ({ status: 200, body: { a: 2 } }))).headers!.etag).not.toBe(headers!.etag);
    expect((await read({}, () => ({ status: 200 }))).headers!.etag).toBe('"47DEQpj8HBSa-_TImW-5JCeuQeR"');
    expect((await read({}, () => ({ status: 201, body: {} }))).headers).not.toHaveProperty('etag');
    expect((await handle(ok)).response.headers).not.toHaveProperty('etag');
  });

  const tagged = () => ({ ...ok(), headers: { etag: '"1-a"' } });
  test.each([
    ['"1-a"', true],
    ['W/"1-a"', true],
    ['"x", "1-a"', true],
    ['"1-a-gzip"', true],
    ['*', true],
    [' * ', true],
    ['"1-b"', false],
    ['1-a', false],
    ['', false],
    ['"x*"', false],
    ['"1-W/a"', false],
  ])('is compared with If-None-Match %j: %s', async (header, isSame) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await read({ 'if-none-match': header }, tagged, method);
      expect(response.statusCode).toBe(isSame ? 304 : 200);
      expect(response.headers).toMatchObject({ etag: '"1-a"', 'x-request-id': 'request-1' });
      expect('body' in response).toBe(!isSame);
      expect('content-type' in response.headers!).toBe(!isSame);
    }
    expect((await read({ 'if-none-match': header }, tagged, 'POST')).statusCode).toBe(200);
  });

  test.each([
    [undefined, true],
    ['"1-a"', true],
    ['"1-a-gzip"', true],
    ['*', true],
    ['W/"1-a"', false],
    ['"2-a"', false],
    ['', false],
  ])('is compared with If-Match %j: %s', (header, isSame) => {
    expect(isExpected(eventOf({ headers: header === undefined ? {} : { 'if-match': header } }), '"1-a"')).toBe(isSame);
  });

  test('of a contact has its version and time', () => {
    expect(contactTag(3, { updated_at: '2026-01-02T03:04:05.000006Z' })).toBe('"3-20260102030405000006"');
    expect(compressedTag('"a"b"')).toBe('"a"b-gzip"');
  });
});

describe('deprecated fields', () => {
  test('have headers that the OpenAPI document describes', () => {
    const { deprecation } = deprecationNotice;
    const { Deprecation, DeprecationLink } = deprecationHeaders;
    expect(Deprecation.schema.type).toBe('string');
    expect(deprecation).toMatch(new RegExp(Deprecation.schema.pattern));
    expect('2026').not.toMatch(new RegExp(Deprecation.schema.pattern));
    expect(DeprecationLink.schema).toEqual({ type: 'string' });
    for (const { description } of [Deprecation, DeprecationLink]) expect(description).toMatch(/^Present /);
  });

  test('have a date and an explanation', () => {
    expect(deprecationNotice).toEqual({
      deprecation: '@1767225600',
      link: '</openapi.json>; rel="deprecation"; type="application/json"',
    });
  });
});
