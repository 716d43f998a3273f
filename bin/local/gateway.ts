import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { gatewayMethods, groupOf, type Route, type RouteGroup } from '../../lib/route.ts';
import { httpEvent, targetOf } from './http-event.ts';
import { type GatewayResponse, gatewayResponse, responseOf, send } from './http-response.ts';
import { listen, portOf } from './ports.ts';
import { createRouter } from './routing.ts';

export type GatewayOptions = {
  routes: readonly Route[];
  /** The id of the function for `$default`. */
  fallback: string;
  /** Runs the function with this id. */
  invoke(id: string, event: unknown): Promise<unknown>;
  /** The limits of each route, by its group. The fallback is public. */
  throttles: Readonly<Record<RouteGroup, Throttle>>;
  /** The timeout of a function; by default the 30 seconds of API Gateway. */
  timeoutMilliseconds?: number;
};

export type Gateway = {
  port: number;
  /** Accepts no more requests, and waits at most this long for running ones. */
  stop(graceMilliseconds: number): Promise<void>;
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
export async function startGateway(port: number, options: GatewayOptions): Promise<Gateway> {
  const handle = createHandler(options);
  const running = new Set<Promise<void>>();
  // Node.js refuses a size that equals its setting.
  const server = createServer({ maxHeaderSize: maxHeadBytes + 1 }, (request, response) => {
    const work = respond(handle, request, response).finally(() => running.delete(work));
    running.add(work);
  });
  server.keepAliveTimeout = 65_000;
  server.on('clientError', refuse);
  await listen(server, port, 'PORT');
  return {
    port: portOf(server),
    stop: async (graceMilliseconds) => {
      server.close();
      await Promise.race([Promise.allSettled(running), sleep(graceMilliseconds, undefined, { ref: false })]);
      server.closeAllConnections();
    },
  };
}

type Handler = (request: IncomingMessage, requestId: string) => Promise<GatewayResponse>;

async function respond(handle: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestId = randomUUID();
  const result = await handle(request, requestId).catch((error: unknown) => {
    // A client that disconnects in the middle of its body is not an error of the service.
    if (!response.destroyed) console.error(error);
    return failed;
  });
  if (response.destroyed) return;
  send(response, result, requestId);
  await finished(response).catch(() => {});
}

function createHandler({ routes, fallback, invoke, ...options }: GatewayOptions): Handler {
  const route = createRouter(routes, fallback);
  const mayPass = createThrottles(routes, options.throttles);
  const limit = options.timeoutMilliseconds ?? integrationTimeout;
  return async (request, requestId) => {
    const at = new Date();
    const target = targetOf(request.url ?? '/');
    const match = target && route(request.method ?? '', target.segments);
    const passes = !match || mayPass(match.routeKey);
    const body = await bodyOf(request);
    if (!match) return badRequest;
    if (!passes) return tooMany;
    if (!body) return tooLarge;
    const event = httpEvent(request, { target, match, body, requestId, at });
    if (body.length > alwaysFits && Buffer.byteLength(JSON.stringify(event)) > maxEventBytes) return tooLarge;
    return within(limit, invoke(match.id, event).then(responseOf), timedOut);
  };
}

/** @returns whether a request to a route is allowed now. Each method of a path is a route of its own. */
function createThrottles(routes: readonly Route[], limits: GatewayOptions['throttles']): (routeKey: string) => boolean {
  const byKey = new Map([['$default', createThrottle(limits.public)]]);
  for (const route of routes) {
    const keys = gatewayMethods(route).map((method) => `${method} ${route.path}`);
    for (const key of keys) byKey.set(key, createThrottle(limits[groupOf(route)]));
  }
  // The system clock may be set back; this clock is monotonic.
  return (routeKey) => byKey.get(routeKey)!(performance.now());
}

async function within<T>(milliseconds: number, work: Promise<T>, otherwise: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(resolve, milliseconds, otherwise);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
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

/**
 * A token bucket, as in API Gateway.
 * @returns whether a request is allowed at `now`, in milliseconds of a monotonic clock
 */
export function createThrottle({ rateLimit, burstLimit }: Throttle): (now: number) => boolean {
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
