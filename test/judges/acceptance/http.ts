import { setTimeout as sleep } from 'node:timers/promises';
import { holds, matches, same, timePattern } from './expect.ts';

// biome-ignore lint/suspicious/noExplicitAny: a part of a response, whose shape is what the checks are about
export type Json = any;
/** `body` is `undefined` if the response is not JSON. */
export type Response = { status: number; headers: Headers; text: string; body: Json };
/** A method and a path with its query string, as in `GET /v1/contacts?limit=5`. */
export type Request = `${string} /${string}`;
export type Headed = Readonly<Record<string, string>>;
/** An object is sent as JSON, `URLSearchParams` as a form, a string and bytes as they are. */
export type Body = object | string | undefined;

/** Milliseconds. Longer than the timeout of the gateway. */
const requestTimeout = 35_000;

const typeOf = (body: Body): Headed => {
  if (body === undefined) return {};
  const isForm = body instanceof URLSearchParams;
  return { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' };
};

const sent = (body: Body) =>
  typeof body === 'string' || body instanceof Uint8Array || body instanceof URLSearchParams
    ? (body as string | Uint8Array<ArrayBuffer> | URLSearchParams)
    : JSON.stringify(body);

/** How many requests were resent after a 503. On a service without faults, more than a few are a mistake. */
export const resent = { count: 0 };

/**
 * Sends a request without a token. It does not follow redirects, and waits if the rate of the gateway is exceeded. It
 * resends a request three times after a 503: it is safe to resend (contract 1), and a busy machine can be too slow once.
 */
export async function send(baseUrl: string, request: Request, body?: Body, headers: Headed = {}): Promise<Response> {
  const [method, path] = request.split(/ (.*)/s, 2) as [string, string];
  for (let unavailable = 0; ; ) {
    const response = await fetch(`${baseUrl.replace(/\/$/, '')}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...typeOf(body), ...headers },
      signal: AbortSignal.timeout(requestTimeout),
      ...(body === undefined ? {} : { body: sent(body)! }),
    });
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '') && text !== '';
    const retryAfter = response.headers.get('retry-after');
    if (response.status === 503 && retryAfter !== null && unavailable < 3) {
      unavailable += 1;
      resent.count += 1;
      await sleep(Number(retryAfter) * 1000);
    } else if (response.status === 429 && /^\{"message":/.test(text)) {
      await sleep(300);
    } else {
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
    }
  }
}

/** Contract 1: the code of each status. */
const codes: Record<number, string> = {
  400: 'invalid_request',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  410: 'gone',
  412: 'precondition_failed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'validation_failed',
};

/** What every response of section 1 of the contract has. */
export function holdsCommonRules(request: Request, { status, headers, body, text }: Response): void {
  const what = `${request} ${status}`;
  holds(headers.get('x-request-id'), `${what} has no x-request-id`);
  same(headers.get('x-content-type-options'), 'nosniff', `X-Content-Type-Options of ${what}`);
  if (!request.includes(' /v1/')) return;
  same(headers.get('cache-control'), 'no-store', `Cache-Control of ${what}`);
  if (text !== '') matches(headers.get('content-type'), /^application\/json/, `content-type of ${what}`);
  if (body !== undefined) holdsTimes(body, what);
  if (status === 401) {
    if (!request.startsWith('HEAD')) same(body, { error: 'invalid_token' }, `body of ${what}`);
    matches(headers.get('www-authenticate'), /^Bearer/, `WWW-Authenticate of ${what}`);
  } else if (status >= 400 && !request.startsWith('HEAD')) holdsError(what, status, body);
}

function holdsError(what: string, status: number, body: Json): void {
  if (codes[status]) same(body?.error, codes[status], `error of ${what}`);
  matches(body.message, /./, `message of ${what}`);
  matches(body.request_id, /./, `request_id of ${what}`);
  if (status !== 400 && status !== 422) return;
  holds(Array.isArray(body.details) && body.details.length > 0, `${what} has no details`);
  for (const { path, message } of body.details) {
    same([typeof path, typeof message], ['string', 'string'], `types of a detail of ${what}`);
  }
}

function holdsTimes(value: Json, what: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries<Json>(value)) {
    // Content that the administrator wrote keeps its times as they were written.
    if (/^(inserted|updated|completed|completion_verified)_at$/.test(key) && each !== null) {
      matches(each, timePattern, `${key} in ${what}`);
    } else if (!/^(meta_|content|facts|template$|message$|page$)/.test(key)) holdsTimes(each, what);
  }
}

/** The paths in the details of an error, each once, in order. */
export const pathsOf = ({ body }: Response): string[] =>
  [...new Set<string>((body?.details ?? []).map(({ path }: { path: string }) => path))].sort();

/** Repeats a check until it passes: lists and search can be behind writes by a moment. */
export async function eventually<T>(check: () => Promise<T>, seconds = 30): Promise<T> {
  for (const end = Date.now() + seconds * 1000; ; await sleep(100)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
