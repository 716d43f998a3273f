import { Agent, createServer, type IncomingMessage, request as requestTo, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { conflict, type FaultKind, type FaultPlan, type Part, type Response, refusals } from './faults.ts';

export type FaultProxy = {
  endpoint: string;
  /** Resolves when no delayed request remains. */
  quiet(): Promise<void>;
  stop(): void;
};

type Options = {
  part: Part;
  target: string;
  plan: FaultPlan;
  onFault(fault: FaultKind, operation: string): void;
};

type Received = { operation: string; path: string; headers: string[]; body: Buffer };

/** A proxy between the functions and the database or queue that injects the faults of its plan. */
export async function startFaultProxy({ part, target, plan, onFault }: Options): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true });
  const send = (received: Received) => forward(target, agent, received);
  const late = new Set<Promise<unknown>>();
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = await request.toArray();
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const { url: path = '/', rawHeaders: headers } = request;
    const received = { operation, path, headers, body: Buffer.concat(chunks) };
    const fault = plan.faultFor(operation);
    if (fault) onFault(fault, operation);
    await respond(fault, received, response);
  }

  async function respond(fault: FaultKind | undefined, received: Received, response: ServerResponse): Promise<void> {
    const { throttled, failed } = refusals[part];
    switch (fault) {
      case undefined:
        return answer(response, await send(received));
      case 'throttled-parts':
        return answer(response, await sendInPart(received, plan, send));
      case 'throttled':
        return answer(response, throttled);
      case 'conflict':
        return answer(response, conflict(JSON.parse(received.body.toString())));
      case 'error-500-before':
        return answer(response, failed);
      case 'error-500-after':
        await send(received);
        return answer(response, failed);
      case 'reset-before':
        return void response.destroy();
      case 'reset-after':
        await send(received);
        return void response.destroy();
      case 'truncated':
        return truncate(response, await send(received));
      case 'delay':
        await sleep(plan.delayMilliseconds());
        return answer(response, await send(received));
      case 'hang':
        return;
      case 'hang-after':
        await send(received);
        return;
      case 'hang-reset':
        await sleep(plan.lateMilliseconds());
        return void response.destroy();
      case 'late':
        return sendLate(received);
    }
  }

  async function sendLate(received: Received): Promise<void> {
    // The service may have been killed in the meantime.
    const sending = sleep(plan.lateMilliseconds()).then(() => send(received).catch(() => {}));
    late.add(sending);
    await sending;
    late.delete(sending);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    quiet: async () => {
      await Promise.all(late);
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

function answer(response: ServerResponse, { status, body }: Response): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'content-length': body.length }).end(body);
}

function truncate(response: ServerResponse, { status, body }: Response): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'content-length': body.length + 1 });
  response.write(body.subarray(0, body.length / 2), () => response.destroy());
}

const notPassedOn = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

function forward(target: string, agent: Agent, { path, headers, body }: Received): Promise<Response> {
  const kept: Record<string, string | number> = { 'content-length': body.length };
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]!.toLowerCase();
    if (!notPassedOn.has(name)) kept[name] = headers[at + 1]!;
  }
  return new Promise((resolve, reject) => {
    const upstream = requestTo(new URL(path, target), { method: 'POST', agent, headers: kept });
    upstream.on('error', reject).on('response', (response) => {
      response.toArray().then((parts: Buffer[]) => {
        resolve({ status: response.statusCode ?? 502, body: Buffer.concat(parts) });
      }, reject);
    });
    upstream.end(body);
  });
}

type Send = (received: Received) => Promise<Response>;
type Statements = { Statements: unknown[] };
type Reads = { RequestItems: Record<string, { Keys: unknown[] }> };

/** Throttles some statements or keys, and forwards the others. */
function sendInPart(received: Received, plan: FaultPlan, send: Send): Promise<Response> {
  const body = JSON.parse(received.body.toString());
  const pass = (changed: object) => send({ ...received, body: Buffer.from(JSON.stringify({ ...body, ...changed })) });
  return received.operation === 'BatchGetItem' ? readInPart(body, plan, pass) : writeInPart(body, plan, pass);
}

type Pass = (changed: object) => Promise<Response>;

async function writeInPart({ Statements }: Statements, plan: FaultPlan, pass: Pass): Promise<Response> {
  const verdicts = Statements.map(() => plan.isThrottled());
  const passed = Statements.filter((_, place) => !verdicts[place]);
  const response = passed.length > 0 ? await pass({ Statements: passed }) : undefined;
  if (response && response.status !== 200) return response;
  const parsed = response ? JSON.parse(response.body.toString()) : { Responses: [] };
  const left = (parsed.Responses as unknown[])[Symbol.iterator]();
  const throttled = { Error: { Code: 'ThrottlingError', Message: 'injected' } };
  const Responses = verdicts.map((isThrottled) => (isThrottled ? throttled : left.next().value));
  return { status: 200, body: Buffer.from(JSON.stringify({ ...parsed, Responses })) };
}

async function readInPart({ RequestItems }: Reads, plan: FaultPlan, pass: Pass): Promise<Response> {
  const [[table, asked]] = Object.entries(RequestItems) as [[string, { Keys: unknown[] }]];
  const verdicts = asked.Keys.map(() => plan.isThrottled());
  const keys = (areThrottled: boolean) => asked.Keys.filter((_, place) => verdicts[place] === areThrottled);
  const [passed, left] = [keys(false), keys(true)];
  const response =
    passed.length > 0 ? await pass({ RequestItems: { [table]: { ...asked, Keys: passed } } }) : undefined;
  if (response && response.status !== 200) return response;
  const parsed = response ? JSON.parse(response.body.toString()) : { Responses: {} };
  const UnprocessedKeys = left.length > 0 ? { [table]: { ...asked, Keys: left } } : {};
  return { status: 200, body: Buffer.from(JSON.stringify({ ...parsed, UnprocessedKeys })) };
}
