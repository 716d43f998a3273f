import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Problem } from '../../../lib/domain/values/problem.ts';
import { contract } from '../../../lib/http/contract.ts';
import { type Authenticate, endpoint, type Handler } from '../../../lib/http/endpoint.ts';
import type { HttpService } from '../../../lib/http/handler.ts';
import { reply } from '../../../lib/http/reply.ts';
import type { Result } from '../../../lib/http/request.ts';
import { eventOf } from '../../support/http/event.ts';

type Line = Record<string, unknown>;

function logging() {
  const lines: Line[] = [];
  const service = (): HttpService => ({
    logger: { info: (_, fields) => lines.push(fields), error: (_, fields) => lines.push(fields) },
    metricFields: () => ({}),
    now: () => 0,
    baseUrl: 'https://api.example.com',
    gzip: async (text) => Buffer.from(text),
  });
  return { service, lines };
}

const about = { id: 'upsert-contacts', tag: 'Contacts', summary: 'A test.' } as const;
const responses = () => ({ 200: { description: 'Done.', schema: z.unknown() } });
const body = z.object({ a: z.string() });
const query = z.object({ limit: z.string().max(1).optional() });
const caller = { teamId: 'team-1', clientId: 'client-1', scopes: new Set(['contacts:write'] as const) };
const known: Authenticate = async (authorization, state) => {
  state.caller = caller;
  return { ...caller, scopes: new Set(authorization === 'all' ? ['contacts:write', 'journeys:write'] : caller.scopes) };
};
const sent = (value: unknown, fields: object = {}) =>
  eventOf({ method: 'POST', body: JSON.stringify(value), ...fields });

async function outcome(result: Promise<Result>) {
  const { statusCode, body: text, headers } = await result;
  return { status: statusCode, headers, body: text === undefined ? undefined : JSON.parse(text) };
}

const full = contract<typeof responses>()({ ...about, scope: 'contacts:write', body, query });
type Full = typeof full;
const echo: Handler<Full> = ({ caller: { teamId }, params, json, ...valid }) =>
  reply(200, { teamId, params, json, body: valid.body, query: valid.query });
const call = (event: ReturnType<typeof eventOf>, changes: Partial<Full> = {}, handle: Handler<Full> = echo) => {
  const { service } = logging();
  return outcome(endpoint(service, { ...full, ...changes } as Full, handle, { authenticate: known })(event));
};

describe('an endpoint', () => {
  test('gives its handler the caller, the parameters, the query and the body', async () => {
    const event = sent({ a: 'x', more: 1 }, { rawQueryString: 'limit=5', pathParameters: { id: '7' } });
    expect((await call(event)).body).toEqual({
      teamId: 'team-1',
      params: { id: '7' },
      json: { a: 'x', more: 1 },
      body: { a: 'x' },
      query: { limit: '5' },
    });
  });

  test('has no parameters, query and body unless the contract has them', async () => {
    const bare = contract<typeof responses>()({ ...about });
    const { service } = logging();
    const handle: Handler<typeof bare> = ({
      event: _,
      validate: __,
      caller: { scopes, unused: ___, ...names },
      ...given
    }) => reply(200, { ...given, ...names, scopes: [...scopes] });
    expect((await outcome(endpoint(service, bare, handle)(sent('ignored')))).body).toEqual({
      params: {},
      json: {},
      query: {},
      body: {},
      teamId: '',
      requestId: 'request-1',
      clientId: '',
      scopes: [],
    });
  });

  test('authenticates exactly if the contract has a scope', () => {
    const { service } = logging();
    const wrong = 'upsert-contacts has the wrong authentication';
    expect(() => endpoint(service, full, echo)).toThrow(wrong);
    const open = contract<typeof responses>()({ ...about });
    expect(() => endpoint(service, open, () => reply(200, {}), { authenticate: known })).toThrow(wrong);
  });

  test('is private if it authenticates', async () => {
    expect((await call(sent({ a: 'x' }))).headers).toMatchObject({ 'cache-control': 'no-store' });
    const { service } = logging();
    const open = endpoint(service, contract<typeof responses>()({ ...about }), () => reply(200, {}));
    expect((await outcome(open(eventOf()))).headers).not.toHaveProperty('cache-control');
  });

  test('answers conditional reads only if the contract says so', async () => {
    expect((await call(sent({ a: 'x' }), { conditional: 'reads' })).headers).toHaveProperty('etag');
    expect((await call(sent({ a: 'x' }), { conditional: 'writes' })).headers).not.toHaveProperty('etag');
  });
});

describe('the scopes', () => {
  test('are checked before the body', async () => {
    const invalid = await call(eventOf({ body: '{' }), { scope: 'journeys:read' });
    expect(invalid.body.error).toBe('insufficient_scope');
    expect(invalid.headers).toMatchObject({ 'www-authenticate': expect.stringContaining('scope="journeys:read"') });
  });

  test('that the body and the parameters need are checked before validation', async () => {
    const seen: unknown[] = [];
    const furtherScopes: Full['furtherScopes'] = (request) => {
      seen.push(request);
      return ['journeys:write'];
    };
    const event = sent({ b: 1 }, { rawQueryString: 'q=1&limit=50' });
    const { status, headers } = await call(event, { furtherScopes });
    expect(status).toBe(403);
    expect(headers).toMatchObject({ 'www-authenticate': expect.stringContaining('"contacts:write journeys:write"') });
    expect(seen).toEqual([{ body: { b: 1 }, parameters: ['q', 'limit'] }]);
    const allowed = sent({ a: 'x' }, { headers: { authorization: 'all' } });
    expect((await call(allowed, { furtherScopes })).status).toBe(200);
    expect((await call({ ...allowed, rawQueryString: undefined as never }, { furtherScopes })).status).toBe(200);
  });
});

describe('validation', () => {
  test('reports the errors of parameters and body together, as a 400', async () => {
    const { status, body: problem } = await call(sent({}, { rawQueryString: 'limit=50' }));
    expect(status).toBe(400);
    expect(problem.details.map(({ path }: { path: string }) => path)).toEqual(['limit', '/a']);
  });

  test('reports errors of the body alone as a 422, those between fields first', async () => {
    const crossFieldErrors = () => [{ path: '/b', message: 'no b' }];
    const { status, body: problem } = await call(sent({}), { crossFieldErrors });
    expect(status).toBe(422);
    expect(problem.details.map(({ path }: { path: string }) => path)).toEqual(['/b', '/a']);
    expect((await call(sent({ a: 'x' }), { crossFieldErrors })).body.details).toHaveLength(1);
  });

  test('refuses a body as a whole with a 400', async () => {
    const refusals = ({ a }: { a?: unknown }) => (a === 'bad' ? [{ path: '', message: 'bad' }] : []);
    expect(await call(sent({ a: 'bad' }), { refusals })).toMatchObject({
      status: 400,
      body: { details: [{ path: '', message: 'bad' }] },
    });
    expect((await call(sent({ a: 'x' }), { refusals })).status).toBe(200);
  });

  test('rejects a record that the code fails on, and logs the failure without its message', async () => {
    const { service, lines } = logging();
    const record = z.unknown().transform((value) => {
      if (value === 'secret') throw new TypeError('the secret value');
      return value;
    });
    const batch = { ...full, body: z.object({ records: z.array(record) }) } as unknown as Full;
    const event = sent({ records: ['a', 'secret'] });
    const { status, body: problem } = await outcome(endpoint(service, batch, echo, { authenticate: known })(event));
    expect([status, problem.details.map(({ path }: { path: string }) => path)]).toEqual([422, ['/records/1']]);
    expect(lines).toMatchObject([{ error: 'Problem', cause: { error: 'TypeError' } }, { status: 422 }]);
    expect(JSON.stringify(lines)).not.toContain('secret value');
  });

  test('can be left to the handler', async () => {
    const late: Handler<Full> = ({ validate, query: before, body: alsoBefore }) => {
      expect([before, alsoBefore]).toEqual([undefined, undefined]);
      return reply(200, validate());
    };
    const changes = { isValidatedLate: true } as const;
    expect((await call(sent({ a: 'x' }), changes, late)).body).toEqual({ query: {}, body: { a: 'x' } });
    expect((await call(sent({}), changes, late)).status).toBe(422);
    expect((await call(sent({}), changes, () => reply(200, {}))).status).toBe(200);
  });
});

describe('a public endpoint', () => {
  const big = sent({ a: 'x'.repeat(16 * 1024) });
  const { service } = logging();
  const done = () => reply(200, {});

  test.each([
    ['with a schema', contract<typeof responses>()({ ...about, body })],
    [
      'with its own body',
      contract<typeof responses>()({ ...about, ownBody: { mediaTypes: ['text/html'], schema: body } }),
    ],
  ])('%s takes 16 KiB', async (_, open) => {
    expect((await outcome(endpoint(service, open as never, done as never)(big))).status).toBe(413);
    expect((await outcome(endpoint(service, open as never, done as never)(sent({ a: 'x' })))).status).toBe(200);
  });

  test('without a body takes more', async () => {
    const bare = contract<typeof responses>()({ ...about });
    expect((await outcome(endpoint(service, bare, done)(big))).status).toBe(200);
  });
});

test.each([
  [4 * 1024 * 1024, 200],
  [4 * 1024 * 1024 + 1, 413],
])('with a token, a body of %i bytes is %i', async (bytes, status) => {
  const body = `{"a":"${'x'.repeat(bytes - 8)}"}`;
  expect((await call(eventOf({ method: 'POST', body }))).status).toBe(status);
});

describe('a request', () => {
  test('with deprecated fields gets a notice, also if it fails', async () => {
    const deprecated = ({ old }: { old?: unknown }) => old !== undefined;
    for (const value of [{ a: 'x', old: 1 }, { old: 1 }]) {
      expect((await call(sent(value), { deprecated })).headers).toHaveProperty('deprecation');
    }
    expect((await call(sent({ a: 'x' }), { deprecated })).headers).not.toHaveProperty('deprecation');
    expect((await call(sent({ a: 'x' }))).headers).not.toHaveProperty('deprecation');
  });

  test('that fails after its token was verified is logged with its client', async () => {
    const { service, lines } = logging();
    await endpoint(service, full, echo, { authenticate: known })(sent({}));
    expect(lines).toMatchObject([{ client_id: 'client-1', team_id: 'team-1', code: 'validation_failed' }]);
  });

  test('that fails can get a page', async () => {
    const { service } = logging();
    const renderError = ({ code }: Problem) => ({ status: 418, body: code });
    const failing = endpoint(service, full, echo, { authenticate: known, renderError });
    expect(await outcome(failing(sent({})))).toMatchObject({ status: 418, body: 'validation_failed' });
  });
});
