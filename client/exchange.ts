import { ApiError, apiError, NetworkError } from './errors.ts';
import { joined } from './waiting.ts';

/** As the platform's own, with an address and what goes along. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type Exchange = {
  fetch: Fetch;
  /** Milliseconds for one attempt, its answer included. */
  timeout: number;
  signals: readonly (AbortSignal | undefined)[];
};

/**
 * Sends once and reads the whole answer, so that a connection that breaks in the middle of it counts as no answer.
 *
 * @throws ApiError where the answer is a refusal, NetworkError where none came, the signal's reason where it aborted.
 */
export async function exchange(
  url: string,
  init: RequestInit,
  { fetch, timeout, signals }: Exchange,
): Promise<Response> {
  const call = `${init.method} ${new URL(url).pathname}`;
  const { signal, release } = joined(signals, timeout);
  try {
    // The service never redirects: whoever does is somebody else, and shall not get the credentials.
    const response = await fetch(url, { ...init, redirect: 'error', signal });
    const text = await response.text();
    if (!response.ok || !isJson(response)) throw apiError(call, response, text);
    return new Response(text === '' ? null : text, { status: response.status, headers: response.headers });
  } catch (error) {
    for (const given of signals) given?.throwIfAborted();
    if (error instanceof ApiError) throw error;
    throw new NetworkError(`${call} got no answer`, { cause: error });
  } finally {
    release();
  }
}

/** The sign-in page of a network in between is no answer of the service. */
const isJson = ({ headers }: Response): boolean => /\bjson\b/.test(headers.get('content-type') ?? '');
