import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';

/**
 * Loaded into the local service: adds the header `server-timing` to every response, with the milliseconds until the
 * service saw the request, in which it waited for the table, and until the response.
 */
type Timing = { started: number; waiting: number; since: number; table: number };

const timings = new AsyncLocalStorage<Timing>();
const ofRequests = new WeakMap<ClientRequest, Timing>();
const isForTable = (request: ClientRequest) => String(request.getHeader('x-amz-target')).startsWith('DynamoDB');

subscribe('http.server.request.start', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const sent = Number(request.headers['x-sent']);
  if (Number.isNaN(sent)) return;
  const timing = { started: performance.now(), waiting: 0, since: 0, table: 0 };
  timings.enterWith(timing);
  const before = performance.timeOrigin + timing.started - sent;
  const writeHead = response.writeHead.bind(response) as (...parts: unknown[]) => ServerResponse;
  response.writeHead = (...parts: unknown[]) => {
    const total = performance.now() - timing.started;
    response.setHeader('server-timing', `before;dur=${before}, table;dur=${timing.table}, total;dur=${total}`);
    return writeHead(...parts);
  };
});

subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: ClientRequest };
  const timing = timings.getStore();
  if (!timing || !isForTable(request)) return;
  ofRequests.set(request, timing);
  if (timing.waiting++ === 0) timing.since = performance.now();
});

subscribe('http.client.response.finish', (message) => {
  const timing = ofRequests.get((message as { request: ClientRequest }).request);
  if (timing && --timing.waiting === 0) timing.table += performance.now() - timing.since;
});
