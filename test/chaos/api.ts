import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../support/random.ts';
import type { History } from './history.ts';
import type { Credential } from './service.ts';

export type Exchange = {
  start: number;
  end: number;
  /** `null` if there was no response. */
  status: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows the operation that it called
  body: any;
};

type Call = { method: string; path: string; body?: object; milliseconds?: number };

const patience = 35_000;

/** Access of one team to the service, only by HTTP. */
export class TeamApi {
  readonly team: string;
  readonly history: History;
  readonly #baseUrl: string;
  readonly #credential: Credential;
  #token: string | undefined;

  constructor(baseUrl: string, credential: Credential, history: History) {
    this.#baseUrl = baseUrl;
    this.#credential = credential;
    this.history = history;
    this.team = credential.teamId;
  }

  /** Sends one request without retries. */
  async call(operation: string, { method, path, body, milliseconds = patience }: Call): Promise<Exchange> {
    this.#token ??= await this.#newToken();
    const start = this.history.now();
    const { status, body: received } = await this.#fetch(method, path, milliseconds, {
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const end = this.history.now();
    this.history.add({ kind: 'request', at: end, operation, status });
    return { start, end, status, body: received };
  }

  /** Retries a read until it succeeds. */
  async read(operation: string, path: string, until = Number.POSITIVE_INFINITY): Promise<Exchange> {
    for (;;) {
      const exchange = await this.call(operation, { method: 'GET', path });
      if (!isWorthRetrying(exchange.status) || this.history.now() > until) return exchange;
      await sleep(100);
    }
  }

  async #fetch(method: string, path: string, milliseconds: number, init: RequestInit) {
    try {
      const signal = AbortSignal.timeout(milliseconds);
      const response = await fetch(this.#baseUrl + path, { method, signal, ...init });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    } catch {
      return { status: null, body: undefined };
    }
  }

  async #newToken(): Promise<string> {
    const { clientId: client_id, clientSecret: client_secret } = this.#credential;
    const body = JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret });
    for (;;) {
      const headers = { 'content-type': 'application/json' };
      const response = await this.#fetch('POST', '/oauth2/token', patience, { headers, body });
      if (response.status === 200) return response.body.access_token as string;
      await sleep(200);
    }
  }
}

/** Retries like a partner: after a timeout, a lost connection, 429 and 5xx. */
export const isWorthRetrying = (status: number | null): boolean => status === null || status === 429 || status >= 500;

/** A short pause; longer if the connection is refused. */
export async function pauseAfter({ status, start, end }: Exchange, random: Random): Promise<void> {
  const isRefused = status === null && end - start < 50;
  await sleep(isRefused ? random.between(300, 1200) : random.between(50, 600));
}
