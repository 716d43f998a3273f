import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { contact, id, invalidToken, outcome, refusal, scripted, secret } from './scripted-client.ts';

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

  test('is renewed once after a 401, for all calls that were refused, at once or one after another', async () => {
    const { client, tokenRequests, of } = scripted(({ authorization }, calls) =>
      authorization === 'Bearer token-1'
        ? new Promise((resolve) => setTimeout(resolve, 100 * Math.floor(calls / 2), invalidToken()))
        : undefined,
    );
    await outcome(Promise.all(Array.from({ length: 10 }, () => client.contacts.get(id))));
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
        ? Response.json(
            { error: 'invalid_client', error_description: 'No client has these credentials.' },
            { status: 401 },
          )
        : undefined,
    );
    const error = await outcome(client.contacts.get(id));
    expect(error).toMatchObject({
      status: 401,
      code: 'invalid_client',
      message: 'POST /oauth2/token failed with 401 invalid_client: No client has these credentials.',
    });
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
