import { ApiError, apiError, NetworkError } from './errors.ts';
import { joined } from './waiting.ts';

/**
 * As the `fetch` of the platform, but with both arguments and only a string as the URL.
 *
 * @example
 * const logged: Fetch = (url, init) => (console.log(init.method, url), fetch(url, init));
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type Exchange = {
  fetch: Fetch;
  /** Milliseconds for one attempt, including its response. */
  timeout: number;
  signals: readonly (AbortSignal | undefined)[];
};

/**
 * Sends a request once and reads the whole response, so that a connection that breaks within it is a NetworkError.
 *
 * @throws ApiError for an error response, NetworkError without a response, the signal's reason if it aborted
 */
export async function exchange(
  url: string,
  init: RequestInit,
  { fetch, timeout, signals }: Exchange,
): Promise<Response> {
  const { pathname, host } = new URL(url);
  const call = `${init.method} ${pathname}`;
  const { signal, release } = joined(signals, timeout);
  try {
    // The service never redirects. Another server that does must not get the credentials.
    const response = await fetch(url, { ...init, redirect: 'error', signal });
    const text = await response.text();
    const isExpected = (response.ok && isJson(response)) || [204, 304].includes(response.status);
    if (!isExpected) throw apiError(call, response, text);
    return new Response(text === '' ? null : text, { status: response.status, headers: response.headers });
  } catch (error) {
    for (const given of signals) given?.throwIfAborted();
    if (error instanceof ApiError) throw error;
    throw new NetworkError(`${call} got no response from ${host}`, { cause: error });
  } finally {
    release();
  }
}

/** False for a page that is not from the service, such as the sign-in page of a network. */
const isJson = ({ headers }: Response): boolean => /\bjson\b/.test(headers.get('content-type') ?? '');
