import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError, type ClientOptions, NetworkError, OnboardingClient, type Retry } from '../../client/index.ts';

const secret = 'the-client-secret';
const id = '2b8a7a52-6f44-4f8f-9d6a-0f4f1b8f8f10';

type Sent = { method: string; path: string; authorization: string | null; body: string };
type Script = (sent: Sent, calls: number) => Response | Promise<Response> | undefined;

/** A client of a service that answers as scripted, else like one where all is well. */
function scripted(script: Script = () => undefined, options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const retries: Retry[] = [];
  let tokens = 0;
  const client = new OnboardingClient({
    baseUrl: 'https://api.example.com/',
    clientId: 'the-client-id',
    clientSecret: secret,
    onRetry: (retry) => retries.push(retry),
    fetch: async (url, { method = 'GET', headers, body, signal }) => {
      signal?.throwIfAborted();
      const { pathname: path } = new URL(url);
      const authorization = new Headers(headers).get('authorization');
      const request = { method, path, authorization, body: String(body ?? '') };
      sent.push(request);
      const calls = sent.filter((each) => each.path === path).length;
      const answer = script(request, calls);
      if (answer) return untilAborted(Promise.resolve(answer), signal);
      return path === '/oauth2/token'
        ? Response.json({ access_token: `token-${++tokens}`, expires_in: 3600, token_type: 'Bearer' })
        : Response.json({ id });
    },
    ...options,
  });
  const of = (path: string) => sent.filter((request) => request.path === path);
  return { client, sent, retries, tokenRequests: () => of('/oauth2/token').length, of };
}

const untilAborted = (answer: Promise<Response>, signal: AbortSignal | null | undefined): Promise<Response> =>
  new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
    answer.then(resolve, reject);
  });

const never = () => new Promise<Response>(() => {});
const refusal = (status: number, error: string, more: object = {}, headers: Record<string, string> = {}) =>
  Response.json({ error, message: 'For people.', request_id: 'r-1', ...more }, { status, headers });
const invalidToken = () => Response.json({ error: 'invalid_token' }, { status: 401 });
const contact = `/v1/contacts/${id}`;

/** What the call comes to, with all waits taken at once. */
async function outcome<T>(call: Promise<T>): Promise<T | unknown> {
  const settled = call.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return settled;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the token', () => {
  test('is asked for once, however many calls need it at the same time, and kept', async () => {
    const { client, tokenRequests, of } = scripted();
    await Promise.all(Array.from({ length: 20 }, () => client.contacts.get(id)));
    await client.contacts.get(id);
    expect(tokenRequests()).toBe(1);
    expect(new Set(of(contact).map(({ authorization }) => authorization))).toEqual(new Set(['Bearer token-1']));
  });

  test('is renewed once after a 401, for all calls that were refused', async () => {
    const { client, tokenRequests, of } = scripted(({ authorization }) =>
      authorization === 'Bearer token-1' ? invalidToken() : undefined,
    );
    await Promise.all(Array.from({ length: 10 }, () => client.contacts.get(id)));
    expect(tokenRequests()).toBe(2);
    expect(of(contact)).toHaveLength(20);
  });

  test('that is refused again right after its renewal is the end of the call', async () => {
    const { client, tokenRequests, of } = scripted(({ path }) => (path === contact ? invalidToken() : undefined));
    expect(await outcome(client.contacts.get(id))).toMatchObject({ status: 401, code: 'invalid_token' });
    expect(tokenRequests()).toBe(2);
    expect(of(contact)).toHaveLength(2);
  });

  test('is not fetched by a clock, but not used either once its lifetime is over', async () => {
    const { client, tokenRequests } = scripted();
    await client.contacts.get(id);
    await vi.advanceTimersByTimeAsync(3_599_000);
    await client.contacts.get(id);
    expect(tokenRequests()).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(tokenRequests()).toBe(1);
    await client.contacts.get(id);
    expect(tokenRequests()).toBe(2);
  });

  test.each([[0], [-5], [null], ['3600'], [undefined]])('is kept when its lifetime is %j', async (expires_in) => {
    const { client, tokenRequests } = scripted(({ path }) =>
      path === '/oauth2/token' ? Response.json({ access_token: 'one', expires_in }) : undefined,
    );
    await client.contacts.get(id);
    await vi.advanceTimersByTimeAsync(10_000);
    await client.contacts.get(id);
    expect(tokenRequests()).toBe(1);
  });

  test('is asked for again when the service is briefly away', async () => {
    const { client, tokenRequests, retries } = scripted(({ path }, calls) =>
      path === '/oauth2/token' && calls < 3 ? refusal(503, 'unavailable') : undefined,
    );
    expect(await outcome(Promise.all([client.contacts.get(id), client.contacts.get(id)]))).toMatchObject([
      { id },
      { id },
    ]);
    expect(tokenRequests()).toBe(3);
    expect(retries).toHaveLength(2);
  });

  test('is refused to a wrong secret, without another try and without a word of the secret', async () => {
    const { client, tokenRequests } = scripted(({ path }) =>
      path === '/oauth2/token'
        ? Response.json({ error: 'invalid_client', error_description: 'x' }, { status: 401 })
        : undefined,
    );
    const error = await outcome(client.contacts.get(id));
    expect(error).toMatchObject({ status: 401, code: 'invalid_client' });
    expect(tokenRequests()).toBe(1);
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(secret);
  });

  test('goes into no error, and neither it nor the secret shows in the client', async () => {
    const { client } = scripted(({ path }) => (path === contact ? refusal(422, 'validation_failed') : undefined));
    const error = await outcome(client.contacts.get(id));
    for (const shown of [error, client]) {
      const text = inspect(shown, { depth: 20, showHidden: true }) + JSON.stringify(shown);
      expect(text).not.toMatch(/token-1|the-client-secret/);
    }
  });

  test('a call that is ended while it waits for the token leaves the others to theirs', async () => {
    let answer: (response: Response) => void = () => {};
    const { client, tokenRequests } = scripted(({ path }) =>
      path === '/oauth2/token' ? new Promise((resolve) => (answer = resolve)) : undefined,
    );
    const controller = new AbortController();
    const ended = client.contacts.get(id, { signal: controller.signal });
    const other = client.contacts.get(id);
    controller.abort(new Error('no longer wanted'));
    await expect(ended).rejects.toThrow('no longer wanted');
    answer(Response.json({ access_token: 'one', expires_in: 60 }));
    expect(await other).toEqual({ id });
    expect(tokenRequests()).toBe(1);
  });
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
    expect(error).toMatchObject({ message: `GET ${contact} got no answer`, cause });
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
      `GET /v1/engagement-channels/${id}/content-containers/search was answered 404 not_found`,
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

/** An answer whose connection is lost after its first half. */
function brokenOff(): Response {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"id":')),
    pull: (controller) => controller.error(new TypeError('terminated')),
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}
