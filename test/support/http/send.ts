import { withinRate } from './within-rate.ts';

export type TestRequest = {
  /** Sent as JSON, unless it is a string or bytes. */
  body?: unknown;
  token?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

export type TestResponse = {
  status: number;
  headers: Headers;
  /** The parsed JSON, or the text if it is not JSON, or `undefined` if there is no body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses whose shape they test
  body: any;
};

/** Sends one request, without retries. */
export async function send(
  baseUrl: string,
  method: string,
  path: string,
  { body, token, headers = {}, signal }: TestRequest = {},
): Promise<TestResponse> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(new URL(path, baseUrl), {
    method,
    redirect: 'manual',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: (isRaw ? body : JSON.stringify(body)) as string | Uint8Array<ArrayBuffer> }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : isJson ? JSON.parse(text) : text,
  };
}

/** An access token for a client. */
export async function tokenOf(
  baseUrl: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): Promise<string> {
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const answer = await withinRate(() => send(baseUrl, 'POST', '/oauth2/token', { body }));
  if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.access_token;
}
