import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './loopback.ts';

/** The outcome of one request to the engine. */
export type StoreFault =
  /** The engine does not get the request; this is the response. */
  | { status: number; body: string; headers?: Record<string, string> }
  /** The connection breaks before the engine gets the request, after it was executed, or within the response. */
  | { lost: 'before' | 'after' | 'midway' }
  /** The response is valid HTTP, but its body is cut to this share. */
  | { cut: number }
  /** The response is not HTTP. */
  | { unreadable: true }
  /** The response never arrives, or stops after its first half. */
  | { hangs: 'before' | 'midway' };

/** An error as DynamoDB reports it. */
export const storeError = (name: string, status = 400): StoreFault => ({
  status,
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'x' }),
});

export type StoreRequest = { operation: string; body: Record<string, unknown> };

/** A proxy in front of the engine that injects the faults of `fault`. */
export async function storeProxy(engine: string, fault: (request: StoreRequest) => StoreFault | undefined) {
  const requests: StoreRequest[] = [];

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const seen = { operation, body: JSON.parse(text) };
    requests.push(seen);
    const chosen = fault(seen);
    const send = (status: number, body: Buffer) =>
      response.writeHead(status, {
        'content-type': 'application/x-amz-json-1.0',
        'content-length': body.length,
        ...(chosen && 'headers' in chosen ? chosen.headers : {}),
      });
    if (chosen && 'unreadable' in chosen) return void request.socket.end('not HTTP\r\n\r\n');
    if (chosen && 'status' in chosen) return void send(chosen.status, Buffer.from(chosen.body)).end(chosen.body);
    if (chosen && 'lost' in chosen && chosen.lost === 'before') return void request.socket.destroy();
    if (chosen && 'hangs' in chosen && chosen.hangs === 'before') return;
    const { status, body } = await forward(engine, request, text);
    if (!chosen) return void send(status, body).end(body);
    if ('cut' in chosen) {
      const rest = body.subarray(0, Math.floor(body.length * chosen.cut));
      return void send(status, rest).end(rest);
    }
    if ('lost' in chosen && chosen.lost === 'after') return void request.socket.destroy();
    send(status, body).write(body.subarray(0, body.length / 2), () => 'lost' in chosen && request.socket.destroy());
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  return { ...(await listen(server)), requests };
}

async function forward(engine: string, request: IncomingMessage, text: string) {
  const { host: _, 'content-length': __, connection: ___, ...headers } = request.headers;
  const answer = await fetch(engine, { method: 'POST', headers: headers as Record<string, string>, body: text });
  return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
}

/** A proxy to an endpoint for `DYNAMODB_ENDPOINT`: the service reads nothing from the stream of its table. */
export const withoutStream = (engine: string) =>
  storeProxy(engine, ({ operation }) =>
    operation === 'GetRecords' ? storeError('InternalServerError', 500) : undefined,
  );
