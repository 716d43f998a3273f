import { urlAt } from '../../lib/domain/url.ts';

export type Response = {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: checks read responses whose shape they check
  body: any;
};

/** A method and a path with its query string, as in `GET /v1/contacts?limit=5`. */
export type Request = `${string} /${string}`;

/** An object is sent as JSON, `URLSearchParams` as a form, a string and bytes as they are. */
export type Body = object | string | undefined;
export type Headed = Readonly<Record<string, string>>;

/** Milliseconds. Longer than the timeout of the gateway. */
const requestTimeout = 35_000;

export async function send(baseUrl: string, request: Request, body: Body, headers: Headed): Promise<Response> {
  const [method, path] = request.split(/ (.*)/, 2) as [string, string];
  const isForm = body instanceof URLSearchParams;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(urlAt(baseUrl, path), {
    method,
    redirect: 'manual',
    headers: {
      ...(body === undefined
        ? {}
        : { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
      ...headers,
    },
    signal: AbortSignal.timeout(requestTimeout),
    ...(body === undefined
      ? {}
      : { body: isForm ? String(body) : isRaw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '') && text !== '';
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}
