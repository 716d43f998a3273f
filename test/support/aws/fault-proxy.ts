import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestTo,
  type ServerResponse,
} from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../http/loopback.ts';

/** What happens to one request. */
export type Fault = {
  /** Milliseconds before anything else happens. */
  delay?: number;
} & (
  | { delay: number }
  /** This is the response. The server gets the request only if it is `executed`. */
  | { status: number; body?: string; headers?: Record<string, string>; executed?: true }
  /** The connection breaks before the server gets the request, after it was executed, or within the response. */
  | { lost: 'before' | 'after' | 'midway' }
  /** No response, although the request was executed or not, or only the first half of one. */
  | { hangs: 'before' | 'after' | 'midway' }
  /** The response is valid HTTP, but its body is cut to this share. */
  | { cut: number }
  /** The response is not HTTP. */
  | { unreadable: true }
  /** DynamoDB throttles the statements of a batch, the keys of a read, or the whole operation for which this is true. */
  | { throttles(part: unknown): boolean }
);

/** An error as an AWS service reports it. */
export const awsError = (type: string, status = 400) => {
  return { status, body: JSON.stringify({ __type: type, message: 'x' }) };
};
/** An error as DynamoDB reports it. */
export const storeError = (name: string, status?: number) =>
  awsError(`com.amazonaws.dynamodb.v20120810#${name}`, status);

export type ProxiedRequest = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Of AWS, from `X-Amz-Target`. */
  operation: string;
  /** The parsed JSON; `undefined` if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the operations that it sees
  body: any;
};

type Answer = { status: number; headers: OutgoingHttpHeaders; body: Buffer };
/** Sends the request on, or another body in its place. */
type Forward = (changed?: object) => Promise<Answer>;

type Seen = ProxiedRequest & { fault?: Fault | undefined };
export type FaultProxy = Awaited<ReturnType<typeof faultProxy>>;

/** A proxy in front of a server that injects the faults of `faultOf`. */
export async function faultProxy(
  target: string,
  faultOf: (request: ProxiedRequest) => Fault | undefined = () => undefined,
) {
  const requests: Seen[] = [];
  const agent = new Agent({ keepAlive: true });
  const running = new Set<Promise<void>>();

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const sent = Buffer.concat(await incoming.toArray());
    const { method = 'GET', url: path = '/', headers } = incoming;
    const operation = String(headers['x-amz-target']).split('.')[1] ?? '';
    const request: Seen = { method, path, headers, operation, body: parsed(sent) };
    requests.push(request);
    request.fault = faultOf(request);
    await respond(request.fault ?? { delay: 0 }, request, response, (changed) =>
      forward(new URL(path, target), agent, incoming, changed ? Buffer.from(JSON.stringify(changed)) : sent),
    );
  };

  const server = createServer((incoming, response) => {
    const handling = handle(incoming, response).catch(() => void response.destroy());
    running.add(handling);
    handling.then(() => running.delete(handling));
  });
  const { endpoint, stop } = await listen(server);
  return {
    ...{ endpoint, requests },
    /** Resolves when nothing happens any more to the requests so far. */
    quiet: async () => void (await Promise.all(running)),
    stop: () => {
      stop();
      agent.destroy();
    },
  };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

async function respond(
  fault: Fault,
  request: ProxiedRequest,
  response: ServerResponse,
  forward: Forward,
): Promise<void> {
  if (fault.delay) await sleep(fault.delay);
  if ('status' in fault) {
    if (fault.executed) await forward();
    const { status, headers = {}, body = '{"message":"x"}' } = fault;
    return write(response, { status, headers, body: Buffer.from(body) });
  }
  if ('unreadable' in fault) return void response.socket?.end('not HTTP\r\n\r\n');
  if ('throttles' in fault) return write(response, await throttled(request, fault.throttles, forward));
  const breaks = 'lost' in fault;
  const moment = 'lost' in fault ? fault.lost : 'hangs' in fault ? fault.hangs : undefined;
  const end = () => void (breaks && response.socket?.destroy());
  if (moment === 'before') return end();
  const answer = await forward();
  if (moment === 'after') return end();
  if ('cut' in fault) {
    return write(response, { ...answer, body: answer.body.subarray(0, Math.floor(answer.body.length * fault.cut)) });
  }
  if (moment === undefined) return write(response, answer);
  head(response, answer).write(answer.body.subarray(0, answer.body.length / 2), end);
}

const head = (response: ServerResponse, { status, headers, body }: Answer) =>
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    'content-length': body.length,
  });

function write(response: ServerResponse, answer: Answer): void {
  head(response, answer).end(answer.body);
}

const ofConnection = new Set(['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);
const passedOn = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)));

function forward(url: URL, agent: Agent, { method, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  const sent = { ...passedOn(headers), 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const upstream = requestTo(url, { method, agent, headers: sent });
    upstream.on('error', reject).on('response', (answer) => {
      answer.toArray().then((parts: Buffer[]) => {
        const { statusCode: status = 502, headers } = answer;
        resolve({ status, headers: passedOn(headers), body: Buffer.concat(parts) });
      }, reject);
    });
    upstream.end(body);
  });
}

/** Throttles some statements or keys, and forwards the others. */
async function throttled(
  { operation, body }: ProxiedRequest,
  throttles: (part: unknown) => boolean,
  forward: Forward,
): Promise<Answer> {
  /** The response to the parts that are not throttled, changed. */
  const answerOf = async (parts: unknown[], changed: object, complete: (responses: never) => object) => {
    const answer =
      parts.length > 0 ? await forward(changed) : { status: 200, headers: {}, body: Buffer.from('{"Responses":[]}') };
    if (answer.status !== 200) return answer;
    const received = JSON.parse(answer.body.toString());
    return { ...answer, body: Buffer.from(JSON.stringify({ ...received, ...complete(received.Responses as never) })) };
  };
  if (operation === 'BatchExecuteStatement') {
    const verdicts = (body.Statements as unknown[]).map(throttles);
    const passed = (body.Statements as unknown[]).filter((_, place) => !verdicts[place]);
    const refusal = { Error: { Code: 'ThrottlingError', Message: 'injected' } };
    return answerOf(passed, { ...body, Statements: passed }, (responses: unknown[]) => {
      const left = responses[Symbol.iterator]();
      return { Responses: verdicts.map((isThrottled) => (isThrottled ? refusal : left.next().value)) };
    });
  }
  if (operation === 'BatchGetItem') {
    const [[table, asked]] = Object.entries(body.RequestItems) as [[string, { Keys: unknown[] }]];
    const { true: left = [], false: passed = [] } = Object.groupBy(asked.Keys, (key) => `${throttles(key)}`);
    const changed = { ...body, RequestItems: { [table]: { ...asked, Keys: passed } } };
    return answerOf(passed, changed, (responses: object) => ({
      Responses: { ...responses },
      UnprocessedKeys: left.length > 0 ? { [table]: { ...asked, Keys: left } } : {},
    }));
  }
  if (!throttles(body)) return forward();
  const { status, body: text } = storeError('ThrottlingException');
  return { status, headers: {}, body: Buffer.from(text) };
}

/** A proxy to an endpoint for `DYNAMODB_ENDPOINT`: the service reads nothing from the stream of its table. */
export const withoutStream = (engine: string) =>
  faultProxy(engine, ({ operation }) =>
    operation === 'GetRecords' ? storeError('InternalServerError', 500) : undefined,
  );

/**
 * The headers of a server whose clock is an hour late, and another second in each response: the SDK reports a correction
 * only if it differs from the one before.
 */
export function lateClock() {
  let seconds = 3600;
  return {
    get date() {
      seconds += 1;
      return new Date(Date.now() - seconds * 1000).toUTCString();
    },
  };
}
