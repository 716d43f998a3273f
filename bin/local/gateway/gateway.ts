import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Route, RouteGroup } from '../../../lib/route.ts';
import type { OutboxRequest } from '../outbox/outbox.ts';
import { type Listening, listen } from '../ports.ts';
import { within } from '../timing.ts';
import { createRouter, type GatewayResponse, gatewayResponse, httpEvent, responseOf, targetOf } from './payload.ts';

export type GatewayOptions = {
  routes: readonly Route[];
  /** The id of the function for `$default`. */
  fallback: string;
  /** Runs the function with this id. */
  invoke(id: string, event: unknown): Promise<unknown>;
  /** Answers requests to `/outbox`, which only the local service has. */
  outbox?(request: OutboxRequest): Promise<GatewayResponse>;
  /** The limits of each route, by its group. The fallback is public. */
  throttles: Readonly<Record<RouteGroup, Throttle>>;
  /** The timeout of a function; by default the 30 seconds of API Gateway. */
  timeoutMilliseconds?: number;
};

/** Bytes of a request line and headers that API Gateway accepts. Node.js counts URL, names and values. */
export const maxHeadBytes = 10 * 1024;
/** API Gateway accepts bodies up to 10 MB, Lambda events up to 6 MB. The event contains the body as a JSON string. */
const maxBodyBytes = 10 * 1024 * 1024;
const maxEventBytes = 6 * 1024 * 1024;
/** A body up to this size always fits into an event, because a byte becomes at most six characters (`\u0000`). */
const alwaysFits = 900_000;
const integrationTimeout = 30_000;

const badRequest = gatewayResponse(400, 'Bad Request');
const tooLarge = gatewayResponse(413, 'Request Entity Too Large');
const tooMany = gatewayResponse(429, 'Too Many Requests');
const failed = gatewayResponse(500, 'Internal Server Error');
const timedOut = gatewayResponse(503, 'Service Unavailable');

/**
 * An HTTP API of API Gateway on a loopback port, with the same events, limits and gateway responses.
 * @throws StartFailure if the port is taken or not allowed
 */
export async function startGateway(port: number, options: GatewayOptions): Promise<Listening> {
  const handle = createHandler(options);
  // Node.js refuses a size that equals its setting.
  const server = createServer({ maxHeaderSize: maxHeadBytes + 1 }, async (request, response) => {
    const requestId = randomUUID();
    const result = await handle(request, requestId).catch((error: unknown) => {
      // A client that disconnects in the middle of its body is not an error of the service.
      if (!response.destroyed) console.error(error);
      return failed;
    });
    if (!server.listening) response.setHeader('connection', 'close');
    if (!response.destroyed) send(response, result, requestId);
  });
  server.keepAliveTimeout = 65_000;
  server.on('clientError', refuse);
  return listen(server, port, 'PORT');
}

function createHandler({ routes, fallback, invoke, outbox, throttles, timeoutMilliseconds }: GatewayOptions) {
  const route = createRouter(routes, fallback);
  const throttleOf = new Map<string, Throttled>();
  const mayPass = (routeKey: string, group: RouteGroup): boolean => {
    const throttle = throttleOf.get(routeKey) ?? createThrottle(throttles[group]);
    throttleOf.set(routeKey, throttle);
    // The system clock may be set back; this clock is monotonic.
    return throttle(performance.now());
  };
  return async (request: IncomingMessage, requestId: string): Promise<GatewayResponse> => {
    const target = targetOf(request.url ?? '/');
    const [, first, ...path] = target?.segments ?? [];
    if (outbox && first === 'outbox') {
      const { method = '', headers } = request;
      const body = (await bodyOf(request)) ?? Buffer.alloc(0);
      return outbox({ method, path, headers, body, requestId });
    }
    const match = target && route(request.method ?? '', target.segments);
    const passes = match && mayPass(match.routeKey, match.group);
    const body = await bodyOf(request);
    if (!match) return badRequest;
    if (!passes) return tooMany;
    if (!body) return tooLarge;
    const event = httpEvent(request, { target, match, body, requestId });
    if (body.length > alwaysFits && Buffer.byteLength(JSON.stringify(event)) > maxEventBytes) return tooLarge;
    const result = invoke(match.id, event).then(responseOf);
    return within(timeoutMilliseconds ?? integrationTimeout, result, () => timedOut);
  };
}

function send(response: ServerResponse, { status, headers, body }: GatewayResponse, requestId: string): void {
  response.setHeaders(headers).setHeader('apigw-requestid', requestId);
  if (status !== 204 && status !== 304) response.setHeader('content-length', body.length);
  response.writeHead(status).end(body);
}

/** The body, or `undefined` if it is too large. It is read to its end in both cases, so that the client gets the 413. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maxBodyBytes) chunks.push(chunk);
  }
  return length <= maxBodyBytes ? Buffer.concat(chunks) : undefined;
}

/** Rejects input that is not HTTP or has headers that are too large. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason] =
    error.code === 'HPE_HEADER_OVERFLOW' ? [431, 'Request Header Fields Too Large'] : [400, 'Bad Request'];
  const body = JSON.stringify({ message: reason });
  const head = `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close`;
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${head}\r\n\r\n${body}`);
}

export type Throttle = { rateLimit: number; burstLimit: number };
/** Whether a request is allowed at `now`, in milliseconds of a monotonic clock. */
type Throttled = (now: number) => boolean;

/** A token bucket, as in API Gateway. */
export function createThrottle({ rateLimit, burstLimit }: Throttle): Throttled {
  let tokens = burstLimit;
  let filled = 0;
  return (now) => {
    tokens = Math.min(burstLimit, tokens + ((now - filled) / 1000) * rateLimit);
    filled = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
