import { ApiError } from './errors.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type Input, type Operation, type Parameters, type Result, urlOf } from './operations.ts';
import { type RetryOptions, withRetries } from './retry.ts';
import type { TokenSource } from './token.ts';

export type TransportOptions = RetryOptions &
  Omit<Exchange, 'signals'> & {
    baseUrl: string;
    tokens: TokenSource;
    signal?: AbortSignal | undefined;
    strict: boolean;
  };

/** Sends the operations of the OpenAPI document, with an access token and with retries. */
export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** The body of the response. Error responses are thrown. */
  async call<Name extends Operation>(operation: Name, input: Input<Name>): Promise<Result<Name>> {
    return (await this.respond(operation, input)).json() as Promise<Result<Name>>;
  }

  /** The pages of a list. The next one is requested when the loop needs it. */
  async *pages<Page extends { next_cursor?: string }>(
    operation: Operation,
    { query, ...input }: Pick<Input<Operation>, 'query' | 'signal'> & Parameters,
  ): AsyncGenerator<Page, void, undefined> {
    for (let cursor: string | undefined; ; ) {
      const sent = { ...input, query: { ...query, cursor } } as Input<Operation>;
      const page = (await this.call(operation, sent)) as unknown as Page;
      yield page;
      cursor = page.next_cursor;
      if (cursor === undefined) return;
    }
  }

  /** Aborts every call of the client. */
  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  /** The response, for an operation whose headers or status matter. After a 401 it is sent again, because it had no effect. */
  async respond<Name extends Operation>(operation: Name, input: Input<Name>): Promise<Response> {
    const { baseUrl, tokens, onRetry, signal, strict } = this.#options;
    const { headers = {}, body, signal: own, onlyOnce = false } = input as Input<Name> & { body?: unknown };
    const [method = '', route = ''] = operation.split(' ');
    const url = urlOf(baseUrl, route, input as Parameters);
    const preference = strict ? { prefer: 'handling=strict' } : {};
    const sent = body === undefined ? headers : { ...headers, ...preference, 'content-type': 'application/json' };
    const text = body === undefined ? null : JSON.stringify(body);
    const signals = [signal, own];
    const maxAttempts = onlyOnce ? 1 : this.#options.maxAttempts;
    const send = (token: string) =>
      withRetries(
        () => {
          const init = { method, headers: { ...sent, authorization: `Bearer ${token}` }, body: text };
          return exchange(url, init, { ...this.#options, signals });
        },
        { maxAttempts, onRetry },
        signals,
      );
    const token = await tokens.get(own);
    try {
      return await send(token);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      tokens.drop(token);
      return send(await tokens.get(own));
    }
  }
}

/** A part of the client. */
export abstract class Area {
  /** @internal */
  protected readonly transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.transport = transport;
  }
}
