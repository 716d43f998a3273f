import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Route } from '../../lib/routes.ts';
import { type Answer, answerOf, gatewayAnswer, send } from './http-answer.ts';
import { httpEvent, targetOf } from './http-event.ts';
import { listen, portOf } from './ports.ts';
import { createRouter } from './routing.ts';
import { createThrottle, type Throttle } from './throttle.ts';

export type GatewayOptions = {
  routes: readonly Route[];
  /** The function behind `$default`. */
  fallback: string;
  /** Runs the function of that id. */
  invoke(id: string, event: unknown): Promise<unknown>;
  throttle: Throttle;
  /** How long a function may take: API Gateway's 30 seconds, unless given. */
  timeoutMilliseconds?: number;
};

export type Gateway = {
  port: number;
  /** Takes no more requests, and waits for those under way, but no longer than this. */
  stop(graceMilliseconds: number): Promise<void>;
};

/** API Gateway takes bodies of 10 MB, and Lambda events of 6 MB, in which the body stands as a JSON string. */
const maxBodyBytes = 10 * 1024 * 1024;
const maxEventBytes = 6 * 1024 * 1024;
/** No body up to this size makes an event too large: a byte becomes six characters at most (`\u0000`). */
const alwaysFits = 900_000;
const integrationTimeout = 30_000;

const badRequest = gatewayAnswer(400, 'Bad Request');
const tooLarge = gatewayAnswer(413, 'Request Entity Too Large');
const tooMany = gatewayAnswer(429, 'Too Many Requests');
const failed = gatewayAnswer(500, 'Internal Server Error');
const timedOut = gatewayAnswer(503, 'Service Unavailable');

/**
 * API Gateway's HTTP API on a loopback port: the same events, the same limits, the same answers of its own.
 * @throws StartFailure where the port is taken or not allowed.
 */
export async function startGateway(port: number, options: GatewayOptions): Promise<Gateway> {
  const answerTo = createAnswerer(options);
  const underWay = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const work = respond(answerTo, request, response).finally(() => underWay.delete(work));
    underWay.add(work);
  });
  server.keepAliveTimeout = 65_000;
  server.on('clientError', refuse);
  await listen(server, port, 'PORT');
  return {
    port: portOf(server),
    stop: async (graceMilliseconds) => {
      server.close();
      await Promise.race([Promise.allSettled(underWay), sleep(graceMilliseconds, undefined, { ref: false })]);
      server.closeAllConnections();
    },
  };
}

type Answerer = (request: IncomingMessage, requestId: string) => Promise<Answer>;

async function respond(answerTo: Answerer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestId = randomUUID();
  const answer = await answerTo(request, requestId).catch((error: unknown) => {
    // A client that went away in the middle of its body is nobody's fault here.
    if (!response.destroyed) console.error(error);
    return failed;
  });
  if (response.destroyed) return;
  send(response, answer, requestId);
  await finished(response).catch(() => {});
}

function createAnswerer({ routes, fallback, invoke, ...options }: GatewayOptions): Answerer {
  const route = createRouter(routes, fallback);
  const mayPass = createThrottle(options.throttle);
  const limit = options.timeoutMilliseconds ?? integrationTimeout;
  return async (request, requestId) => {
    const at = new Date();
    // The clock of the system may be set back; this one only goes forward.
    const passes = mayPass(performance.now());
    const body = await bodyOf(request);
    if (!passes) return tooMany;
    if (!body) return tooLarge;
    const target = targetOf(request.url ?? '/');
    if (!target) return badRequest;
    const match = route(request.method ?? '', target.segments);
    const event = httpEvent(request, { target, match, body, requestId, at });
    if (body.length > alwaysFits && Buffer.byteLength(JSON.stringify(event)) > maxEventBytes) return tooLarge;
    return within(limit, invoke(match.id, event).then(answerOf), timedOut);
  };
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

/** The whole body, or nothing where it is too large: then read to its end all the same, so that the client hears why. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maxBodyBytes) chunks.push(chunk);
  }
  return length <= maxBodyBytes ? Buffer.concat(chunks) : undefined;
}

/** What is no HTTP, or has headers beyond measure, never becomes a request. */
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
