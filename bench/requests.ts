import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import autocannon, { type Request } from 'autocannon';
import { percentile, rounded } from './measure.ts';

const connections = 8;
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
};

/** Measures upserts of a new contact and reads of a contact, each compared with an empty handler. */
export async function benchRequests(
  baseUrl: string,
  authorization: string,
  contactId: string,
): Promise<RequestsResult> {
  const headers = { authorization, 'content-type': 'application/json' };
  const upserts = { method: 'POST', headers };
  const bare = await startBareGateway();
  try {
    const upsert = await load(baseUrl, { ...upserts, path: '/v1/contacts' }, newContact);
    const barePost = await load(bare.baseUrl, { ...upserts, path: '/bare' }, newContact);
    const read = await load(baseUrl, { method: 'GET', path: `/v1/contacts/${contactId}`, headers });
    const bareGet = await load(bare.baseUrl, { method: 'GET', path: '/bare', headers });
    return {
      upsert,
      read,
      bare_post: barePost,
      bare_get: bareGet,
      upsert_to_bare: rounded(upsert.requests_a_second / barePost.requests_a_second),
      read_to_bare: rounded(read.requests_a_second / bareGet.requests_a_second),
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

async function load(url: string, request: Request, setupRequest?: (request: Request) => Request): Promise<Load> {
  await drive(url, warmUpSeconds, request, setupRequest);
  const { result, times } = await drive(url, seconds, request, setupRequest);
  if (result.errors + result.timeouts + result.non2xx > 0) throw new Error(`${request.path} failed under load`);
  return {
    requests_a_second: rounded(times.length / result.duration),
    p50_ms: rounded(percentile(times, 0.5)),
    p99_ms: rounded(percentile(times, 0.99)),
  };
}

/** Collects response times, because the percentiles of autocannon are whole milliseconds. */
async function drive(url: string, duration: number, request: Request, setupRequest?: (request: Request) => Request) {
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
