import createClient from 'openapi-fetch';
import { ApiError } from './errors.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type RetryOptions, withRetries } from './retry.ts';
import type { paths } from './schema.ts';
import type { TokenSource } from './token.ts';

export type Api = ReturnType<typeof createClient<paths>>;

export type TransportOptions = RetryOptions &
  Omit<Exchange, 'signals'> & { baseUrl: string; tokens: TokenSource; signal?: AbortSignal | undefined };

/** Sends the operations of the OpenAPI document, with an access token and with retries. */
export class Transport {
  readonly api: Api;
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.api = createClient<paths>({
      baseUrl: options.baseUrl,
      fetch: (request) => this.#send(request, options.maxAttempts),
    });
  }

  /** `fetch` for a request that must not be retried. After a 401 it is sent again, because it had no effect. */
  readonly once = (request: Request): Promise<Response> => this.#send(request, 1);

  async #send(request: Request, maxAttempts: number): Promise<Response> {
    const { tokens, onRetry, signal } = this.#options;
    const signals = [signal, request.signal];
    const body = request.method === 'GET' ? null : await request.text();
    const attempt = (token: string) => () => {
      const headers = new Headers(request.headers);
      headers.set('authorization', `Bearer ${token}`);
      return exchange(request.url, { method: request.method, headers, body }, { ...this.#options, signals });
    };
    const token = await tokens.get(request.signal);
    try {
      return await withRetries(attempt(token), { maxAttempts, onRetry }, signals);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      tokens.drop(token);
      return withRetries(attempt(await tokens.get(request.signal)), { maxAttempts, onRetry }, signals);
    }
  }
}

/** The data of the response. Error responses have already been thrown. */
export async function dataOf<T>(call: Promise<{ data?: T }>): Promise<NonNullable<T>> {
  const { data } = await call;
  return data as NonNullable<T>;
}

/** The signal as an option of a call. The option must be absent if there is no signal. */
export const given = (signal: AbortSignal | undefined): { signal?: AbortSignal } => (signal ? { signal } : {});
