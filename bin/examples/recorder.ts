import { setTimeout as sleep } from 'node:timers/promises';
import { methodsOf } from '../../lib/http/methods.ts';
import type { Exchange } from '../../lib/http/openapi/exchanges.ts';
import { operationId } from '../../lib/http/openapi/operation.ts';
import type { Route } from '../../lib/route.ts';
import { routes } from '../../lib/routes.ts';

// biome-ignore lint/suspicious/noExplicitAny: the scenario reads responses whose shape the contracts define
type Json = any;

type Sent = {
  /** A form is sent as one, everything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Without the access token. */
  isAnonymous?: boolean;
  /** Keeps only the first entry of each list in the response, and says so in the summary. */
  cut?: boolean;
};

/** Sends a request to a target (`GET /v1/contacts`) and keeps the exchange. Returns the body of the response. */
type Exchanging = (name: string, summary: string, target: string, sent?: Sent) => Promise<Json>;

/** Records requests to the service at `baseUrl`, with their responses. */
export class Recorder {
  readonly exchanges: Exchange[] = [];
  /** The access token of all later requests. */
  token = '';
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  readonly exchange: Exchanging = async (name, summary, target, sent = {}) => {
    const { body, headers = {}, isAnonymous = false, cut = false } = sent;
    const [method = '', path = ''] = target.split(' ');
    const type = body === undefined ? {} : { 'content-type': mediaTypeOf(body) };
    const hasToken = path.startsWith('/v1/') && !isAnonymous;
    const request = { method, path, headers: { ...type, ...(hasToken ? this.#authorized : {}), ...headers } };
    const response = await fetch(new URL(path, this.#baseUrl), {
      ...request,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: textOf(body) }),
    });
    const { status } = response;
    const received = await bodyOf(response);
    const shown = cut ? withFirstOnly(received) : received;
    const wasCut = JSON.stringify(shown) !== JSON.stringify(received);
    this.exchanges.push({
      operation: operationAt(method, path),
      name,
      summary: wasCut ? `${summary}; each list is cut after its first entry` : summary,
      request: { ...request, ...(body === undefined ? {} : { body: fieldsOf(body) }) },
      response: { status, headers: shownOf(response.headers), ...(received === undefined ? {} : { body: shown }) },
    });
    return received;
  };

  /** The body of a response that is not recorded. */
  async read(path: string): Promise<Json> {
    return (await fetch(new URL(path, this.#baseUrl), { headers: this.#authorized })).json();
  }

  /** Waits until the service has done what it does in the background. */
  async until<Body>(path: string, isDone: (body: Body) => boolean): Promise<void> {
    for (const end = Date.now() + 100_000; Date.now() < end; await sleep(50)) {
      if (isDone(await this.read(path))) return;
    }
    throw new Error(`${path} does not change as expected`);
  }

  get #authorized() {
    return { authorization: `Bearer ${this.token}` };
  }
}

const mediaTypeOf = (body: unknown): string =>
  body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/json';
const textOf = (body: unknown): string => (body instanceof URLSearchParams ? String(body) : JSON.stringify(body));
const fieldsOf = (body: unknown): unknown => (body instanceof URLSearchParams ? Object.fromEntries(body) : body);

/** The id of the operation that a request is for. */
function operationAt(method: string, path: string): string {
  const { pathname } = new URL(path, 'http://localhost');
  const route = (routes as readonly Route[]).find((each) => methodsOf(pathname, [each]).includes(method));
  if (!route) throw new Error(`there is no operation at ${method} ${pathname}`);
  return operationId(route, method);
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** The headers that examples show. */
const shownHeaders = ['content-type', 'deprecation', 'link', 'location', 'retry-after', 'www-authenticate'];

const shownOf = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => shownHeaders.includes(name)));

function withFirstOnly(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(withFirstOnly);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withFirstOnly(inner)]));
}
