import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Route } from '../../lib/routes.ts';
import { StartFailure } from './failure.ts';
import { type Answer, answerOf, gatewayAnswer, send } from './http-answer.ts';
import { BadRequest, httpEvent, targetOf } from './http-event.ts';
import { loopback } from './ports.ts';
import { createRouter } from './routing.ts';

/** Runs the function of that id. */
export type Invoke = (id: string, event: unknown) => Promise<unknown>;

export type GatewayOptions = {
  routes: readonly Route[];
  /** The function behind `$default`. */
  fallback: string;
  invoke: Invoke;
  /** How long a function may take. */
  timeoutMilliseconds?: number;
};

export type Gateway = {
  port: number;
  /** Ends what is under way, but waits no longer than this for it. */
  stop(graceMilliseconds: number): Promise<void>;
};

/** API Gateway takes 10 MB, and Lambda 6 MB of event with the body written into it as a JSON string. */
const maxBodyBytes = 10 * 1024 * 1024;
const maxEventBytes = 6 * 1024 * 1024;
/** No event grows past its limit from a body below this: a byte takes six characters at most (`\u0000`). */
const alwaysFits = 900_000;
const integrationTimeout = 30_000;

const badRequest = gatewayAnswer(400, 'Bad Request');
const tooLarge = gatewayAnswer(413, 'Request Entity Too Large');
const failed = gatewayAnswer(500, 'Internal Server Error');
const timedOut = gatewayAnswer(503, 'Service Unavailable');

/**
 * API Gateway's HTTP API on a loopback port: the same events, the same limits, the same answers of its own.
 * @throws StartFailure where the port is taken or not allowed.
 */
export async function startGateway(port: number, options: GatewayOptions): Promise<Gateway> {
  const route = createRouter(options.routes, options.fallback);
  const underWay = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const work = handle(request, response).finally(() => underWay.delete(work));
    underWay.add(work);
  });
  server.keepAliveTimeout = 65_000;
  server.on('clientError', refuse);
  await listen(server, port);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = randomUUID();
    const answer = await answerTo(request, requestId).catch((error: unknown) => {
      console.error(`${request.method} ${request.url?.split('?', 1)[0]} failed in the gateway:`, error);
      return failed;
    });
    if (response.destroyed) return;
    // The rest of a body that is too large may still be on its way.
    if (answer === tooLarge) response.setHeader('connection', 'close');
    send(response, answer, requestId);
  }

  async function answerTo(request: IncomingMessage, requestId: string): Promise<Answer> {
    const body = await bodyOf(request);
    if (!body) return tooLarge;
    let target: ReturnType<typeof targetOf>;
    try {
      target = targetOf(request.url ?? '/');
    } catch (error) {
      if (error instanceof BadRequest) return badRequest;
      throw error;
    }
    const match = route(request.method ?? '', target.segments);
    const event = httpEvent(request, { target, match, body, requestId, at: new Date() });
    if (body.length > alwaysFits && Buffer.byteLength(JSON.stringify(event)) > maxEventBytes) return tooLarge;
    const late = new AbortController();
    const limit = sleep(options.timeoutMilliseconds ?? integrationTimeout, timedOut, { signal: late.signal });
    try {
      return await Promise.race([options.invoke(match.id, event).then(answerOf), limit]);
    } finally {
      late.abort();
      limit.catch(() => {});
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    stop: async (graceMilliseconds) => {
      server.close();
      await Promise.race([Promise.allSettled(underWay), sleep(graceMilliseconds, undefined, { ref: false })]);
      server.closeAllConnections();
    },
  };
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
  const large = error.code === 'HPE_HEADER_OVERFLOW';
  const reason = large ? 'Request Header Fields Too Large' : 'Bad Request';
  const body = JSON.stringify({ message: reason });
  const head = `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close`;
  socket.end(`HTTP/1.1 ${large ? 431 : 400} ${reason}\r\n${head}\r\n\r\n${body}`);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${error.code ?? error.message})`;
      reject(new StartFailure(`Port ${port} ${why}. Stop what listens there, or choose another: PORT=3001 npm start`));
    });
    server.listen(port, loopback, resolve);
  });
}
