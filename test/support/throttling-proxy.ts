import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './loopback.ts';

const mostTimes = 4;

/**
 * A proxy in front of the engine that throttles every third operation: a statement of a batch, a key of a read, or a
 * transaction. The same one is throttled at most four times: the service gives up after eight, and which calls are
 * third depends on the order of parallel requests. Counts throttled operations.
 */
export async function throttlingProxy(engine: string) {
  let asked = 0;
  let refused = 0;
  const times = new Map<string, number>();
  const throttles = (operation: unknown) => {
    const text = JSON.stringify(operation);
    const before = times.get(text) ?? 0;
    const throttled = ++asked % 3 === 0 && before < mostTimes;
    if (throttled) {
      refused++;
      times.set(text, before + 1);
    }
    return throttled;
  };

  const forward = async (request: IncomingMessage, body: string) => {
    const { host: _, 'content-length': __, connection: ___, ...headers } = request.headers;
    const answer = await fetch(engine, { method: 'POST', headers: headers as Record<string, string>, body });
    return { status: answer.status, body: await answer.text() };
  };

  const batchWrite = async (request: IncomingMessage, body: { Statements: unknown[] }) => {
    const verdicts = body.Statements.map((each) => throttles(each));
    const passed = body.Statements.filter((_, place) => !verdicts[place]);
    const throttled = { Error: { Code: 'ThrottlingError', Message: 'throttled' } };
    if (passed.length === 0) return { status: 200, body: JSON.stringify({ Responses: verdicts.map(() => throttled) }) };
    const answer = await forward(request, JSON.stringify({ ...body, Statements: passed }));
    const responses = (JSON.parse(answer.body) as { Responses: unknown[] }).Responses[Symbol.iterator]();
    return {
      status: answer.status,
      body: JSON.stringify({ Responses: verdicts.map((each) => (each ? throttled : responses.next().value)) }),
    };
  };

  type Reads = { RequestItems: Record<string, { Keys: unknown[]; ConsistentRead?: boolean }> };
  const batchRead = async (request: IncomingMessage, body: Reads) => {
    const [[name, asked]] = Object.entries(body.RequestItems) as [[string, { Keys: unknown[] }]];
    const verdicts = asked.Keys.map((each) => throttles(each));
    const keysOf = (refusedOnes: boolean) => asked.Keys.filter((_, place) => verdicts[place] === refusedOnes);
    const [passed, left] = [keysOf(false), keysOf(true)];
    const UnprocessedKeys = left.length > 0 ? { [name]: { ...asked, Keys: left } } : {};
    if (passed.length === 0) return { status: 200, body: JSON.stringify({ Responses: {}, UnprocessedKeys }) };
    const answer = await forward(
      request,
      JSON.stringify({ ...body, RequestItems: { [name]: { ...asked, Keys: passed } } }),
    );
    return { status: answer.status, body: JSON.stringify({ ...JSON.parse(answer.body), UnprocessedKeys }) };
  };

  const refusal = { status: 400, body: '{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException"}' };

  const answerTo = async (request: IncomingMessage, text: string) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1];
    if (operation === 'BatchExecuteStatement') return batchWrite(request, JSON.parse(text));
    if (operation === 'BatchGetItem') return batchRead(request, JSON.parse(text));
    return throttles(text) ? refusal : forward(request, text);
  };

  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { status, body } = await answerTo(request, Buffer.concat(chunks).toString());
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
  });
  return { ...(await listen(server)), refused: () => refused };
}
