import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError, type ClientOptions, NetworkError, OnboardingClient } from '../../../client/index.ts';
import {
  brokenOff,
  contact,
  id,
  invalidToken,
  never,
  outcome,
  refusal,
  type Script,
  scripted,
} from './scripted-client.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a call that may be repeated', () => {
  test.each([
    ['429 by Retry-After', () => refusal(429, 'too_many_requests', {}, { 'retry-after': '7' }), 7_000, 7_000],
    ['503 by Retry-After', () => refusal(503, 'unavailable', {}, { 'retry-after': '2' }), 2_000, 2_000],
    ['the gateway’s 503, which says nothing', () => Response.json({ message: 'x' }, { status: 503 }), 125, 250],
    ['a page that a proxy made', () => new Response('<html>', { status: 502 }), 125, 250],
    ['500', () => refusal(500, 'internal_error'), 125, 250],
    ['a connection that is lost', () => Promise.reject(new TypeError('fetch failed')), 125, 250],
    ['an answer that breaks off', () => brokenOff(), 125, 250],
    ['an answer that does not come', never, 125, 250],
  ])('is sent again after %s', async (_, fault, least, most) => {
    const { client, retries, of } = scripted(({ path }, calls) =>
      path === contact && calls === 1 ? fault() : undefined,
    );
    expect(await outcome(client.contacts.get(id))).toEqual({ id });
    expect(of(contact)).toHaveLength(2);
    expect(retries).toMatchObject([{ attempt: 1 }]);
    expect(retries[0]!.delay).toBeGreaterThanOrEqual(least);
    expect(retries[0]!.delay).toBeLessThanOrEqual(most);
  });

  test.each([[400], [404], [409], [413], [415], [422]])('is not sent again after %i', async (status) => {
    const { client, of } = scripted(({ path }) => (path === contact ? refusal(status, 'x') : undefined));
    expect(await outcome(client.contacts.get(id))).toBeInstanceOf(ApiError);
    expect(of(contact)).toHaveLength(1);
  });

  test('is sent with the same body each time', async () => {
    const { client, of } = scripted(({ path }, calls) =>
      path === '/v1/contacts' && calls < 3 ? refusal(503, 'unavailable') : undefined,
    );
    await outcome(client.contacts.upsert({ unique_id: 'c', name_first: 'Žaneta' }));
    const bodies = of('/v1/contacts').map(({ body }) => JSON.parse(body));
    expect(bodies).toEqual(Array(3).fill({ unique_id: 'c', name_first: 'Žaneta' }));
  });

  test('is given up after so many attempts, with what came last', async () => {
    const script: Script = ({ path }) => (path === contact ? refusal(503, 'unavailable') : undefined);
    const { client, of } = scripted(script, { maxAttempts: 3 });
    expect(await outcome(client.contacts.get(id))).toMatchObject({ code: 'unavailable', requestId: undefined });
    expect(of(contact)).toHaveLength(3);
  });

  test('keeps the cause of an answer that never came', async () => {
    const cause = new TypeError('fetch failed');
    const { client } = scripted(({ path }) => (path === contact ? Promise.reject(cause) : undefined), {
      maxAttempts: 2,
    });
    const error = await outcome(client.contacts.get(id));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ message: `GET ${contact} got no response from api.example.com`, cause });
  });

  test('is ended by its own signal or the client’s, also while it waits', async () => {
    const whole = new AbortController();
    const away: Script = ({ path }) =>
      path === contact ? refusal(503, 'unavailable', {}, { 'retry-after': '50' }) : undefined;
    for (const [own, controller] of [
      [true, new AbortController()],
      [false, whole],
    ] as const) {
      const { client, of } = scripted(away, { signal: whole.signal });
      const call = client.contacts.get(id, own ? { signal: controller.signal } : {});
      const settled = call.catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(1_000);
      controller.abort();
      expect(await settled).toMatchObject({ name: 'AbortError' });
      expect(of(contact)).toHaveLength(1);
    }
  });
});

describe('a batch', () => {
  const records = [{ account_number: '1', contact: { unique_id: 'c' } }];
  const away: Script = ({ path }, calls) =>
    path === '/v1/batches' && calls === 1 ? refusal(503, 'unavailable') : undefined;

  test('with its place in a file is sent again', async () => {
    const { client, of } = scripted(away);
    await outcome(client.batches.create({ type: 'account', batch_id: 'b', chunk_index: 0, records }));
    expect(of('/v1/batches')).toHaveLength(2);
  });

  test.each([[{}], [{ batch_id: 'b' }], [{ batch_id: 'b', chunk_index: null }]])(
    'without one is sent once: %j',
    async (name) => {
      const { client, of } = scripted(away);
      const call = client.batches.create({ type: 'account', ...name, records });
      expect(await outcome(call)).toMatchObject({ code: 'unavailable' });
      expect(of('/v1/batches')).toHaveLength(1);
    },
  );

  test('without one is sent again when its token was refused, for then it was not taken', async () => {
    const { client, of } = scripted(({ path }, calls) =>
      path === '/v1/batches' && calls === 1 ? invalidToken() : undefined,
    );
    await client.batches.create({ type: 'account', records });
    expect(of('/v1/batches')).toHaveLength(2);
  });

  test('is asked for less and less often until it is finished', async () => {
    const { client, of } = scripted(({ path }, calls) =>
      path === '/v1/batches' ? Response.json({ status: calls < 30 ? 'processing' : 'completed' }) : undefined,
    );
    const started = performance.now();
    expect(await outcome(client.batches.finished('b'))).toMatchObject({ status: 'completed' });
    expect(of('/v1/batches')).toHaveLength(30);
    expect(performance.now() - started).toBeGreaterThan(90_000);
    expect(performance.now() - started).toBeLessThan(29 * 5_000);
  });
});

describe('a refusal', () => {
  test('is thrown with all that the service says', async () => {
    const details = [
      { path: '/email', message: 'must be a string' },
      { path: '/city', message: 'must be a string' },
    ];
    const headers = { 'x-request-id': 'r-1', 'retry-after': '3' };
    const { client } = scripted(() => refusal(422, 'validation_failed', { details }, headers));
    const error = await outcome(client.templates.list());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 422, code: 'validation_failed', details, requestId: 'r-1', retryAfter: 3 });
  });

  test('says what was asked without the query, which may hold personal data', async () => {
    const { client } = scripted(({ path }) => (path.endsWith('/search') ? refusal(404, 'not_found') : undefined));
    const error = await outcome(client.channels.search(id, 'email', 'jana@example.com'));
    expect(inspect(error, { depth: 10 })).not.toContain('jana');
    expect((error as Error).message).toBe(
      `GET /v1/engagement-channels/${id}/content-containers/search failed with 404 not_found`,
    );
  });

  test.each([
    [413, 'payload_too_large'],
    [404, 'not_found'],
    [418, 'unexpected_answer'],
  ])('in a shape that is not the service’s goes by its status: %i', async (status, code) => {
    const { client } = scripted(({ path }) => (path === contact ? new Response('null', { status }) : undefined));
    expect(await outcome(client.contacts.get(id))).toMatchObject({ status, code, details: [] });
  });

  test('is also a success that is no JSON', async () => {
    const { client } = scripted(({ path }) => (path === contact ? new Response('<html>Sign in</html>') : undefined));
    expect(await outcome(client.contacts.get(id))).toMatchObject({ name: 'ApiError', code: 'unexpected_answer' });
  });
});

describe('the address', () => {
  const at = (baseUrl: string) => () => new OnboardingClient({ baseUrl, clientId: 'a', clientSecret: 'b' });

  test.each([['http://api.example.com'], ['http://localhost.example.com'], ['ftp://localhost'], ['http://10.0.0.1']])(
    'is refused where credentials would go in the clear: %s',
    (baseUrl) => expect(at(baseUrl)).toThrow(TypeError),
  );

  test.each(['', 'bank', '/v1', 'https://'])('that is no URL is refused with the name of the option: %s', (baseUrl) =>
    expect(at(baseUrl)).toThrow(/^baseUrl must be the URL of the service/),
  );

  test.each([['https://api.example.com'], ['http://127.0.0.1:3000'], ['http://localhost:3000'], ['http://[::1]:3000']])(
    'is taken: %s',
    (baseUrl) => expect(at(baseUrl)).not.toThrow(),
  );

  test('is the only one that credentials are sent to: a redirect is no answer', async () => {
    const modes: (string | undefined)[] = [];
    const fetch: ClientOptions['fetch'] = async (_, { redirect }) => {
      modes.push(redirect);
      return Response.json({ access_token: 'one' });
    };
    await scripted(undefined, { fetch }).client.contacts.get(id);
    expect(modes).toEqual(['error', 'error']);
  });
});
