import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { type AccountRecord, type ClientOptions, OnboardingClient } from '../../../client/index.ts';
import { type Fault, faultProxy, type ProxiedRequest } from '../../support/aws/fault-proxy.ts';
import { oneIn } from '../../support/one-in.ts';
import { service } from '../../support/service/service.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A client of a new team that reaches the service only through the proxy that injects faults. */
async function unlucky(fault: (request: ProxiedRequest) => Fault | undefined, options: Partial<ClientOptions> = {}) {
  const running = await service();
  const { clientId, clientSecret } = await running.newTeam();
  const proxy = await faultProxy(running.baseUrl, fault);
  stops.push(proxy.stop);
  const client = new OnboardingClient({ baseUrl: proxy.endpoint, clientId, clientSecret, ...options });
  return { client, proxy };
}

const faults: Fault[] = [
  { status: 429, headers: { 'retry-after': '0' } },
  { lost: 'after' },
  { status: 503 },
  { lost: 'before' },
  { status: 429 },
  { lost: 'midway' },
];

/** Every second request has the next fault of the list. */
function everySecond() {
  const isSecond = oneIn(2);
  let given = 0;
  return ({ method, path, body }: ProxiedRequest) =>
    isSecond([method, path, body]) ? faults[given++ % faults.length] : undefined;
}

/** Accounts repeat in later chunks, where the later record must win. The first record creates the product. */
const recordsOf = (count: number, accounts: number): AccountRecord[] =>
  Array.from({ length: count }, (_, n) => ({
    account_number: `${n % accounts}`,
    contact: { unique_id: 'holder', role: 'primary' },
    product: { code: 'FREE', type: 'checking', name: `named by record ${n}` },
    nickname: `from record ${n}`,
  }));

describe('whatever stands between', () => {
  test('an upload loses nothing, doubles nothing and keeps the order', async () => {
    const { client, proxy } = await unlucky(everySecond());
    const holder = await client.contacts.upsert({ unique_id: 'holder' });
    const count = 1700;
    // Not a multiple of 500, so that chunks conflict partly, with the previous one and with others.
    const accounts = 700;
    const batchId = randomUUID();
    const uploaded = await client.batches.upload(recordsOf(count, accounts), { batchId });
    expect(uploaded).toMatchObject({ chunks: 4, records: count });
    const batch = await client.batches.finished(batchId);
    expect(batch).toMatchObject({
      status: 'completed',
      chunks: { accepted: 4, completed: 4, failed: 0 },
      records: { accepted: count, applied: count, unchanged: 0, superseded: 0, rejected: 0 },
    });
    const held = await client.contacts.accounts(holder.id);
    const last = Array.from({ length: accounts }, (_, n) => n + accounts * Math.floor((count - 1 - n) / accounts));
    expect(held.map(({ account }) => account.nickname).sort()).toEqual(last.map((n) => `from record ${n}`).sort());
    expect(new Set(held.map(({ account }) => account.product.name))).toEqual(new Set(['named by record 0']));
    const met = new Set(proxy.requests.map(({ fault }) => JSON.stringify(fault)));
    expect(met.size).toBe(faults.length + 1);
  });

  test('an upload that was given up goes on where it stood', async () => {
    let posts = 0;
    const { client } = await unlucky(
      ({ method, path }) =>
        method === 'POST' && path === '/v1/batches' && ++posts === 3 ? { lost: 'after' } : undefined,
      { maxAttempts: 1 },
    );
    const records = recordsOf(1001, 1001);
    const batchId = randomUUID();
    const failed = client.batches.upload(records, { batchId, atOnce: 1 });
    await expect(failed).rejects.toMatchObject({ name: 'UploadError', chunkIndex: 2, firstRecord: 1000 });
    expect(await client.batches.upload(records, { batchId })).toEqual({ chunks: 3, records: 1001, duplicates: 3 });
    const { records: counts } = await client.batches.finished(batchId);
    expect(counts).toMatchObject({ accepted: 1001, applied: 1001, unchanged: 0 });
  });

  test('single calls are made once in effect, and lists leave nothing out', async () => {
    const { client } = await unlucky(everySecond());
    const { length } = await Promise.all(
      Array.from({ length: 12 }, (_, n) => client.contacts.upsert({ unique_id: `c-${n}`, name_last: `Name ${n}` })),
    );
    const { new_contacts, existing_contacts } = await client.contacts.upsertMany(
      Array.from({ length: 120 }, (_, n) => ({ unique_id: `c-${n}`, name_last: `Name ${n}` })),
    );
    expect(new_contacts.length + existing_contacts.length).toBe(120);
    const listed: string[] = [];
    for await (const contact of client.contacts.list({ limit: 30, sort_column: 'unique_id' })) {
      listed.push(contact.unique_id);
    }
    expect(listed).toEqual(Array.from({ length: 120 }, (_, n) => `c-${n}`).sort());
    expect(length).toBe(12);
  });
});

describe('what must not be sent twice', () => {
  const url = 'https://receiver.example.com/';
  test.each<[what: string, path: string, call: (client: OnboardingClient) => Promise<unknown>]>([
    ['a batch', '/v1/batches', ({ batches }) => batches.create({ type: 'account', records: recordsOf(1, 1) })],
    ['a new webhook', '/v1/webhooks', ({ webhooks }) => webhooks.create({ url })],
    ['a new secret', '/v1/webhooks/w/rotate', ({ webhooks }) => webhooks.rotate('w')],
  ])('is not, though its answer was lost: %s', async (_, own, call) => {
    const { client, proxy } = await unlucky(({ path }) => (path === own ? { lost: 'after' } : undefined));
    await expect(call(client)).rejects.toMatchObject({ name: 'NetworkError' });
    expect(proxy.requests.filter(({ path }) => path === own)).toHaveLength(1);
  });
});
