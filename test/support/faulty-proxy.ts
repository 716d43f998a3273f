import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './loopback.ts';

export type Fault =
  /** Responds itself; the service does not get the request. */
  | { answer: number; headers?: Record<string, string>; body?: string }
  /** Breaks the connection before the service gets the request, after its response, or in the middle of the response. */
  | { lost: 'before' | 'after' | 'midway' };

export type Proxied = { method: string; path: string; authorization: string | undefined };

/** A proxy between a client and the service that injects the faults of `fault`. */
export async function faultyProxy(target: string, fault: (request: Proxied) => Fault | undefined) {
  const seen: (Proxied & { fault: Fault | undefined })[] = [];

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = 'GET', url: path = '/', headers } = request;
    const proxied = { method, path, authorization: headers.authorization };
    const chosen = fault(proxied);
    seen.push({ ...proxied, fault: chosen });
    if (chosen && 'answer' in chosen) {
      response.writeHead(chosen.answer, { 'content-type': 'application/json', ...chosen.headers });
      return void response.end(chosen.body ?? '{"message":"x"}');
    }
    if (chosen?.lost === 'before') return void request.socket.destroy();
    const answer = await forward(target, request, Buffer.concat(chunks));
    if (chosen?.lost === 'after') return void request.socket.destroy();
    response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length });
    if (chosen?.lost !== 'midway') return void response.end(answer.body);
    response.write(answer.body.subarray(0, answer.body.length / 2), () => request.socket.destroy());
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  const { endpoint, stop } = await listen(server);
  return { baseUrl: endpoint, seen, stop };
}

const passedOn = ['content-type', 'x-request-id', 'retry-after'];

async function forward(target: string, { method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer) {
  const kept = ['authorization', 'content-type'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  const sent = { method, headers: kept, ...(body.length > 0 ? { body: new Uint8Array(body) } : {}) };
  const answer = await fetch(target + url, sent);
  return {
    status: answer.status,
    headers: Object.fromEntries([...answer.headers].filter(([name]) => passedOn.includes(name))),
    body: Buffer.from(await answer.arrayBuffer()),
  };
}
