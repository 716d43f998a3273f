import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import autocannon, { type Request } from 'autocannon';
import { together } from '../bin/demo/together.ts';
import type { LocalDescription } from '../bin/local/data-directory.ts';
import { localAccess } from '../bin/local/environment.ts';
import { ensureTable } from '../bin/local/table.ts';
import { shortRequests } from '../lib/store/connections.ts';
import { DynamoDatabase } from '../lib/store/dynamodb.ts';
import { contactKey } from '../lib/store/keys.ts';
import { tableClient } from '../lib/store/table-client.ts';
import { percentile, rounded, secondsOf } from './measure.ts';

const connections = 8;
/** For the comparison with bare puts. */
const writers = 16;
const putsCompared = 5000;
const comparedRounds = 3;
const seconds = 5;
const warmUpSeconds = 1;

export type Load = { requests_a_second: number; p50_ms: number; p99_ms: number };
export type RequestsResult = {
  upsert: Load;
  read: Load;
  bare_post: Load;
  bare_get: Load;
  /** Requests a second divided by those of an empty handler on the same gateway. */
  upsert_to_bare: number;
  read_to_bare: number;
  /** Upserts, and bare conditional puts of one such item with the SDK's client on the same engine, 16 at once. */
  upsert_at_16: Load;
  put_at_16: number;
  upsert_to_put: number;
  /** One ratio for each round, both sides one after another: the spread is the noise. */
  upsert_to_put_rounds: number[];
};

/** Measures upserts of a new contact and reads of a contact, compared with an empty handler and with bare puts. */
export async function benchRequests(
  local: LocalDescription,
  authorization: string,
  contactId: string,
): Promise<RequestsResult> {
  const { base_url: baseUrl } = local;
  const headers = { authorization, 'content-type': 'application/json' };
  const upserts = { method: 'POST', headers };
  const bare = await startBareGateway();
  try {
    const upsert = await load(baseUrl, { ...upserts, path: '/v1/contacts' }, newContact);
    const barePost = await load(bare.baseUrl, { ...upserts, path: '/bare' }, newContact);
    const read = await load(baseUrl, { method: 'GET', path: `/v1/contacts/${contactId}`, headers });
    const bareGet = await load(bare.baseUrl, { method: 'GET', path: '/bare', headers });
    const rounds: { upsert: Load; puts: number; ratio: number }[] = [];
    for (let round = 0; round < comparedRounds; round++) {
      const upsert = await load(baseUrl, { ...upserts, path: '/v1/contacts' }, newContact, writers);
      const puts = await putsASecond(local, contactId, `bench-single-puts-${round}`);
      rounds.push({ upsert, puts, ratio: upsert.requests_a_second / puts });
    }
    const middle = rounds.toSorted((a, b) => a.ratio - b.ratio)[comparedRounds >> 1]!;
    return {
      upsert,
      read,
      bare_post: barePost,
      bare_get: bareGet,
      upsert_to_bare: rounded(upsert.requests_a_second / barePost.requests_a_second),
      read_to_bare: rounded(read.requests_a_second / bareGet.requests_a_second),
      upsert_at_16: middle.upsert,
      put_at_16: rounded(middle.puts),
      upsert_to_put: rounded(middle.ratio),
      upsert_to_put_rounds: rounds.map(({ ratio }) => rounded(ratio)),
    };
  } finally {
    await bare.stop();
  }
}

let contacts = 0;
const run = Date.now();

const newContact = (request: Request): Request => ({
  ...request,
  body: JSON.stringify({
    unique_id: `bench-${run}-${contacts++}`,
    name_first: 'Jana',
    name_last: 'Novotna',
    email: 'jana@example.com',
    city: 'Pisek',
    email_opted_in: true,
    meta_private: { district: { id: 18 } },
  }),
});

/** Puts the item of the contact into a table of its own, each time under another key. */
async function putsASecond(
  { dynamodb_endpoint: endpoint, team_id, table_name }: LocalDescription,
  contactId: string,
  TableName: string,
): Promise<number> {
  const engine = new DynamoDBClient({ endpoint, ...localAccess, requestHandler: shortRequests });
  const tables = tableClient({ endpoint, ...localAccess });
  try {
    const [item] = await new DynamoDatabase({ tableName: table_name, client: tables }).get([
      contactKey(team_id, contactId),
    ]);
    await ensureTable(engine, TableName);
    const client = DynamoDBDocumentClient.from(engine);
    const put = (n: number) =>
      client.send(
        new PutCommand({
          TableName,
          Item: { ...item, pk: `${item?.pk}-${n}` },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      );
    const numbers = Array.from({ length: putsCompared }, (_, n) => n);
    const taken = await secondsOf(() => together(numbers, writers, put));
    return putsCompared / taken;
  } finally {
    engine.destroy();
  }
}

async function load(
  url: string,
  request: Request,
  setupRequest?: (request: Request) => Request,
  atOnce = connections,
): Promise<Load> {
  await drive(url, warmUpSeconds, request, setupRequest, atOnce);
  const { result, times } = await drive(url, seconds, request, setupRequest, atOnce);
  if (result.errors + result.timeouts + result.non2xx > 0) throw new Error(`${request.path} failed under load`);
  return {
    requests_a_second: rounded(times.length / result.duration),
    p50_ms: rounded(percentile(times, 0.5)),
    p99_ms: rounded(percentile(times, 0.99)),
  };
}

/** Collects response times, because the percentiles of autocannon are whole milliseconds. */
async function drive(
  url: string,
  duration: number,
  request: Request,
  setupRequest: ((request: Request) => Request) | undefined,
  connections: number,
) {
  const times: number[] = [];
  const requests = [{ ...request, ...(setupRequest ? { setupRequest } : {}) }];
  const instance = autocannon({ url, connections, duration, requests });
  instance.on('response', (_client: unknown, _status: number, _bytes: number, milliseconds: number) => {
    times.push(milliseconds);
  });
  return { result: await instance, times };
}

/** Runs in its own process, like the service. */
async function startBareGateway(): Promise<{ baseUrl: string; stop(): Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, [new URL('bare-gateway.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [port] = (await once(child, 'message')) as [number];
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    stop: async () => {
      const ended = once(child, 'close');
      child.kill();
      await ended;
    },
  };
}
