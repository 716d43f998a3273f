import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalDescription } from '../bin/local/data-directory.ts';
import { OnboardingClient } from '../client/index.ts';
import { percentile, rounded } from './measure.ts';

const requestsASecond = 50;
const seconds = 40;
/** Each tenth request is an upsert of a new contact, the others read a contact. */
const upsertEvery = 10;

const parts = ['before the gateway', 'function', 'table', 'after the response', 'all'] as const;
type Part = (typeof parts)[number];
type Times = Record<Part, number>;

export type WaitResult = { importing: boolean; part: Part; p50_ms: number; p999_ms: number };

/** Pass it to the service as `NODE_OPTIONS`. */
export const timingOptions = `--import=${new URL('waits/timing.ts', import.meta.url).href}`;

/** Where a client waits at 50 requests a second, without and with an import at the same time. */
export async function benchWaits(local: LocalDescription, authorization: string): Promise<WaitResult[]> {
  const { base_url: baseUrl, client_id: clientId, client_secret: clientSecret } = local;
  const { contacts } = new OnboardingClient({ baseUrl, clientId, clientSecret });
  const { id } = await contacts.upsert({ unique_id: 'waits-reader', name_first: 'Jana' });
  const send = (n: number) => requestAt(baseUrl, authorization, id, n);
  await timesOf(send, 2);
  const results = resultsOf(false, await timesOf(send, seconds));
  const importing = startImport(baseUrl, clientId, clientSecret);
  try {
    await sleep(3000);
    results.push(...resultsOf(true, await timesOf(send, seconds)));
  } finally {
    importing.kill();
  }
  return results;
}

const startImport = (...settings: string[]): ChildProcess =>
  spawn(process.execPath, [new URL('waits/importing.ts', import.meta.url).pathname, ...settings], { stdio: 'inherit' });

/** Sends at fixed times, also if earlier requests have no response yet. */
async function timesOf(send: (n: number) => Promise<Times>, duration: number): Promise<Times[]> {
  const started = performance.now();
  const sent: Promise<Times>[] = [];
  for (let n = 0; n < duration * requestsASecond; n++) {
    const wait = started + (1000 * n) / requestsASecond - performance.now();
    if (wait > 0) await sleep(wait);
    sent.push(send(n));
  }
  return Promise.all(sent);
}

let upserts = 0;

async function requestAt(baseUrl: string, authorization: string, id: string, n: number): Promise<Times> {
  const sent = performance.timeOrigin + performance.now();
  const headers = { authorization, 'content-type': 'application/json', 'x-sent': String(sent) };
  const contact = { unique_id: `waits-${upserts++}`, name_first: 'Jana', city: 'Pisek' };
  const response =
    n % upsertEvery === 0
      ? await fetch(`${baseUrl}/v1/contacts`, { method: 'POST', headers, body: JSON.stringify(contact) })
      : await fetch(`${baseUrl}/v1/contacts/${id}`, { headers });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`a request failed with status ${response.status}`);
  const all = performance.timeOrigin + performance.now() - sent;
  const timing = Object.fromEntries(
    [...(response.headers.get('server-timing') ?? '').matchAll(/(\w+);dur=([\d.]+)/g)].map(([, name, ms]) => [
      name,
      +ms!,
    ]),
  ) as { before: number; table: number; total: number };
  const { before, table, total } = timing;
  return {
    'before the gateway': before,
    function: total - table,
    table,
    'after the response': all - before - total,
    all,
  };
}

const resultsOf = (importing: boolean, times: readonly Times[]): WaitResult[] =>
  parts.map((part) => {
    const values = times.map((each) => each[part]);
    return { importing, part, p50_ms: rounded(percentile(values, 0.5)), p999_ms: rounded(percentile(values, 0.999)) };
  });

export const waitsText = (results: readonly WaitResult[]): string =>
  [
    `| ${requestsASecond} requests a second | median, ms | slowest in a thousand, ms | with an import: median | slowest in a thousand |`,
    '|---|---:|---:|---:|---:|',
    ...parts.map((part) => {
      const [alone, beside] = results.filter((each) => each.part === part);
      return `| ${part} | ${alone?.p50_ms} | ${alone?.p999_ms} | ${beside?.p50_ms} | ${beside?.p999_ms} |`;
    }),
  ].join('\n');
