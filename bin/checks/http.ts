import { urlAt } from '../../lib/domain/url.ts';

// biome-ignore lint/suspicious/noExplicitAny: a part of a response, whose shape is what the checks are about
export type Json = any;

/** `body` is `undefined` if the text is not JSON. */
export type Response = { status: number; headers: Headers; text: string; body: Json };

/** A method and a path with its query string, as in `GET /v1/contacts?limit=5`. */
export type Request = `${string} /${string}`;

/** An object is sent as JSON, `URLSearchParams` as a form, a string and bytes as they are. */
export type Body = object | string | undefined;
export type Headed = Readonly<Record<string, string>>;

/** Milliseconds. Longer than the timeout of the gateway. */
export const requestTimeout = 35_000;

/** Sends a request as a partner does. It does not follow redirects. */
export async function send(baseUrl: string, request: Request, body: Body, headers: Headed): Promise<Response> {
  const [method, path] = request.split(/ (.*)/, 2) as [string, string];
  const response = await fetch(urlAt(baseUrl, path), {
    method,
    redirect: 'manual',
    headers: { ...typeOf(body), ...headers },
    signal: AbortSignal.timeout(requestTimeout),
    ...(body === undefined ? {} : { body: sent(body) }),
  });
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '') && text !== '';
  return { status: response.status, headers: response.headers, text, body: isJson ? jsonOf(text) : undefined };
}

const typeOf = (body: Body): Headed => {
  if (body === undefined) return {};
  return {
    'content-type': body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/json',
  };
};

function sent(body: object | string): string | Uint8Array<ArrayBuffer> {
  if (body instanceof URLSearchParams) return String(body);
  return typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
