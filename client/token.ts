import { type Exchange, exchange } from './exchange.ts';
import { type RetryOptions, withRetries } from './retry.ts';
import type { components } from './schema.ts';
import { raced } from './waiting.ts';

type Token = { value: string; expiresAt: number };

export type TokenOptions = RetryOptions &
  Omit<Exchange, 'signals'> & {
    baseUrl: string;
    clientId: string;
    clientSecret: string;
    /** What the token is to hold; without it, all that the credential has. */
    scopes?: readonly string[] | undefined;
    /** Of the client as a whole. A single call's signal does not end a request that others wait for too. */
    signal?: AbortSignal | undefined;
  };

/**
 * The access token, fetched when a call needs one and kept. A 401 always ends it; `expires_in` only saves the call
 * that would have found that out. However many calls wait, one request is under way.
 */
export class TokenSource {
  readonly #options: TokenOptions;
  #token: Token | undefined;
  #request: Promise<Token> | undefined;

  constructor(options: TokenOptions) {
    this.#options = options;
  }

  async get(signal?: AbortSignal): Promise<string> {
    if (this.#token && performance.now() < this.#token.expiresAt) return this.#token.value;
    this.#request ??= this.#fetch().finally(() => {
      this.#request = undefined;
    });
    return (await raced(this.#request, signal)).value;
  }

  /** Takes note that the service refused this token; one that came since stays. */
  drop(value: string): void {
    if (this.#token?.value === value) this.#token = undefined;
  }

  async #fetch(): Promise<Token> {
    const { baseUrl, clientId, clientSecret, scopes, signal } = this.#options;
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...(scopes ? { scope: scopes.join(' ') } : {}),
    });
    const context = { ...this.#options, signals: [signal] };
    const send = () => exchange(`${baseUrl}/oauth2/token`, { method: 'POST', body }, context);
    const response = await withRetries(send, this.#options, [signal]);
    const { access_token, expires_in } = (await response.json()) as components['schemas']['Token'];
    this.#token = { value: access_token, expiresAt: performance.now() + lifetime(expires_in) };
    return this.#token;
  }
}

/** Milliseconds; a lifetime that says nothing leaves it to the first 401. */
const lifetime = (seconds: unknown): number =>
  typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : Number.POSITIVE_INFINITY;
