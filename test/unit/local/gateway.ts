import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterEach, beforeEach, vi } from 'vitest';
import { type GatewayOptions, startGateway } from '../../../bin/local/gateway/gateway.ts';
import type { Listening } from '../../../bin/local/ports.ts';
import type { Route } from '../../../lib/route.ts';

const route = (id: string, methods: Route['methods'], path: string, access: Route['access'] = 'public'): Route => ({
  id,
  methods,
  path,
  file: '',
  access,
  grants: { read: [] },
});
const routes = [
  route('get-thing', ['GET'], '/v1/things/{id}'),
  route('change-thing', ['PUT', 'PATCH'], '/v1/things/{id}'),
  route('get-special', ['GET'], '/v1/things/special'),
  route('get-part', ['GET'], '/v1/{kind}/{id}/parts'),
  route('make-thing', ['POST'], '/v1/things'),
  route('get-owned', ['GET'], '/v1/owned', 'bearer'),
  route('create-token', ['GET'], '/oauth2/token'),
];

const many = { rateLimit: 1000, burstLimit: 1000 };
export const noLimits: GatewayOptions['throttles'] = { partners: many, token: many, public: many };

/** The gateway of the last `start`. */
export let gateway: Listening | undefined;
type Sent = { method?: string; headers?: OutgoingHttpHeaders | string[]; body?: string | Buffer };
type Got = { status: number; headers: IncomingMessage['headers']; body: string };

/** Starts a gateway in front of this function. Returns a function that sends it a request. */
export async function start(invoke: GatewayOptions['invoke'], options: Partial<GatewayOptions> = {}) {
  const started = await startGateway(0, { routes, fallback: 'nothing', invoke, throttles: noLimits, ...options });
  gateway = started;
  return async (path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Got> => {
    const request = httpRequest({ port: started.port, host: '127.0.0.1', path, method, headers });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = await response.toArray();
    return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() };
  };
}

/** The event for a request, and the function that gets it. */
export async function eventOf(path: string, sent?: Sent): Promise<{ id: string; event: APIGatewayProxyEventV2 }> {
  const send = await start(async (id, event) => ({ id, event }));
  return JSON.parse((await send(path, sent)).body);
}

/** Stops the gateway after each test of the file. The errors of functions, which it prints, are intended in these tests. */
export function withGateways(): void {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await gateway?.stop(0);
    gateway = undefined;
  });
}
