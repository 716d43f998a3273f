import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen } from './loopback.ts';

export type ReceivedWebhook = { path: string; headers: Record<string, string>; body: string };
/** Answers a request with a status, or itself. */
export type Answer = (
  received: ReceivedWebhook,
  response: ServerResponse,
  request: IncomingMessage,
) => number | undefined | Promise<number | undefined>;

/** A receiver of webhooks on the loopback address. `answer` can be replaced at any time. */
export type Receiver = {
  url: string;
  received: ReceivedWebhook[];
  /** Number of connections that were made, and of those that the other side has not closed. */
  connections: number;
  open: number;
  answer: Answer;
  stop(): void;
};

export async function startReceiver(answer: Answer = () => 204): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const webhook = { path: request.url ?? '', headers: request.headers as Record<string, string>, body };
    receiver.received.push(webhook);
    const status = await receiver.answer(webhook, response, request);
    if (status !== undefined) response.writeHead(status).end();
  });
  server.on('connection', (socket) => {
    receiver.connections += 1;
    receiver.open += 1;
    socket.on('close', () => void receiver.open--);
  });
  const { endpoint, stop } = await listen(server);
  const receiver: Receiver = { url: `${endpoint}/hook`, received: [], connections: 0, open: 0, answer, stop };
  onTestFinished(stop);
  return receiver;
}
