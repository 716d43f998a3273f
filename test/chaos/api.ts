import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../support/random.ts';
import { send, type TestRequest, tokenOf } from '../support/send.ts';
import type { Credential } from '../support/teams.ts';
import type { History } from './history.ts';

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
/** Milliseconds after which the sender of a write gives up. */
export const patienceOf = (random: Random): number => Number(random.weighted({ 800: 1, 5000: 2, [patience]: 4 }));

/** Access of one team to the service, only by HTTP. */
export class TeamApi {
  readonly team: string;
  readonly history: History;
  readonly #baseUrl: string;
  readonly #credential: Credential;
  #token: string | undefined;

  constructor(baseUrl: string, team: string, credential: Credential, history: History) {
    this.#baseUrl = baseUrl;
    this.#credential = credential;
    this.history = history;
    this.team = team;
  }

  /** Sends one request without retries. */
  async call(operation: string, { method, path, body, milliseconds = patience }: Call): Promise<Exchange> {
    this.#token ??= await this.#newToken();
    const start = this.history.now();
    const { status, body: received } = await this.#send(method, path, {
      ...{ token: this.#token, signal: AbortSignal.timeout(milliseconds) },
      ...(body && { body }),
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

  async #send(method: string, path: string, request: TestRequest) {
    try {
      return await send(this.#baseUrl, method, path, request);
    } catch {
      return { status: null, body: undefined };
    }
  }

  async #newToken(): Promise<string> {
    for (;;) {
      const token = await tokenOf(this.#baseUrl, this.#credential).catch(() => undefined);
      if (token !== undefined) return token;
      await sleep(200);
    }
  }
}

/** Retries like a partner: after a timeout, a lost connection, 429 and 5xx. */
const isWorthRetrying = (status: number | null): boolean => status === null || status === 429 || status >= 500;

/** Attempts a write until the service takes or refuses it, like a partner. */
export async function untilTaken(attempt: () => Promise<Exchange>, random: Random, isOver: () => boolean) {
  for (;;) {
    const exchange = await attempt();
    if (!isWorthRetrying(exchange.status) || isOver()) return;
    await pauseAfter(exchange, random);
  }
}

/** A short pause; longer if the connection is refused. */
async function pauseAfter({ status, start, end }: Exchange, random: Random): Promise<void> {
  const isRefused = status === null && end - start < 50;
  await sleep(isRefused ? random.between(300, 1200) : random.between(50, 600));
}
