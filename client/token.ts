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
    /** The scopes of the token. All scopes of the credential by default. */
    scopes?: readonly string[] | undefined;
    /** The signal of the whole client. The signal of one call must not abort a request that other calls wait for. */
    signal?: AbortSignal | undefined;
  };

/**
 * Requests an access token when a call needs one and caches it until `expires_in` or until a request gets a 401.
 * Concurrent calls share one token request.
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

  /** Removes this token after a 401. A newer token stays. */
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

/** Milliseconds. Without a valid lifetime, the token is used until the first 401. */
const lifetime = (seconds: unknown): number =>
  typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : Number.POSITIVE_INFINITY;
