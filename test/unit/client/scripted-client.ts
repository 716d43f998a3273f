import { vi } from 'vitest';
import { type ClientOptions, OnboardingClient, type Retry } from '../../../client/index.ts';

export const secret = 'the-client-secret';
export const id = '2b8a7a52-6f44-4f8f-9d6a-0f4f1b8f8f10';

export type Sent = { method: string; path: string; authorization: string | null; body: string };
export type Script = (sent: Sent, calls: number) => Response | Promise<Response> | undefined;

/** A client of a service with scripted responses; other responses are successful. */
export function scripted(script: Script = () => undefined, options: Partial<ClientOptions> = {}) {
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

export const never = () => new Promise<Response>(() => {});
export const refusal = (status: number, error: string, more: object = {}, headers: Record<string, string> = {}) =>
  Response.json({ error, message: 'For people.', request_id: 'r-1', ...more }, { status, headers });
export const invalidToken = () => Response.json({ error: 'invalid_token' }, { status: 401 });
export const contact = `/v1/contacts/${id}`;

/** The result of the call, with all pauses skipped. */
export async function outcome<T>(call: Promise<T>): Promise<T | unknown> {
  const settled = call.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return settled;
}

/** A response whose connection breaks after the first half. */
export function brokenOff(): Response {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"id":')),
    pull: (controller) => controller.error(new TypeError('terminated')),
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}
