import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openFile } from '../../../lib/files/file.ts';
import { type Fault, faultProxy } from '../../support/aws/fault-proxy.ts';
import { importCommand, importJson, importSetting } from '../../support/import-command/support.ts';
import { failNextChunk, postBatch } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';

/** The importer and the whole batch: the number of chunks, and chunks that were accepted before. */
const { api, team, environment, directory } = await importSetting();

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const header = 'account_number,contact.unique_id,contact.role,product.code,product.type,balance';
const accounts = (count: number, balance = 1) =>
  Array.from({ length: count }, (_, n) => `${n},holder,primary,FREE,checking,${balance}`);

/** A new file, and a new batch id. */
function fileOf(rows: readonly string[]): { path: string; batchId: string; content: string } {
  const batchId = randomUUID();
  const path = join(directory, `${batchId}.csv`);
  const content = `${[header, ...rows].join('\n')}\n`;
  writeFileSync(path, content);
  return { path, batchId, content };
}

const statusOf = async (batchId: string, { token } = team) =>
  (await api.request('GET', `/v1/batches/${batchId}`, { token })).body;

async function recordsIn(content: string): Promise<object[]> {
  const bytes = (async function* () {
    yield Buffer.from(content);
  })();
  const records: object[] = [];
  for await (const { rows } of (await openFile(bytes, { kind: 'accounts' })).chunks) {
    records.push(...rows.map(({ record }) => record));
  }
  return records;
}

describe('the number of chunks', () => {
  test('is announced with the last one, also when the import goes on where it stopped', async () => {
    const { path, batchId } = fileOf(accounts(1001));
    for (const repeated of [0, 1001]) {
      const { status, summary } = await importJson(environment, 'accounts', path, '--batch-id', batchId);
      expect([status, summary.rows.repeated]).toEqual([0, repeated]);
      expect((await statusOf(batchId)).chunks).toEqual({
        ...{ accepted: 3, completed: 3, failed: 0 },
        ...{ expected: 3, missing: [] },
      });
    }
  });

  test.each([
    ['in the middle', [...accounts(500), ...Array<string>(500).fill('x,holder,,FREE,odd,1'), ...accounts(503)]],
    ['at the end', [...accounts(500), 'x,holder,,FREE,odd,1']],
  ])('is not announced when a chunk has no row to send: %s', async (_, rows) => {
    const { path, batchId } = fileOf(rows);
    const { status, summary } = await importJson(environment, 'accounts', path, '--batch-id', batchId);
    expect([status, summary.status]).toEqual([1, 'completed']);
    const batch = await statusOf(batchId);
    expect(batch.status).toBe('completed');
    expect(batch.chunks).not.toHaveProperty('expected');
  });
});

describe('a file that was changed since it was first sent under its batch id', () => {
  test('is not taken for the same: the command names the lines and what to do', async () => {
    const { path, batchId, content } = fileOf(accounts(600));
    const name = ['--batch-id', batchId];
    expect((await importJson(environment, 'accounts', path, ...name)).status).toBe(0);
    writeFileSync(
      path,
      content.replace('\n550,holder,primary,FREE,checking,1\n', '\n550,holder,joint,FREE,checking,1\n'),
    );
    const { status, stderr } = await importCommand(environment, 'accounts', path, ...name);
    expect(status).toBe(2);
    expect(stderr).toContain(`Lines 502 to 601 were sent before under the batch id ${batchId}, with other content.`);
    expect(stderr).toContain('set another batch id with --batch-id');
    const again = await importJson(environment, 'accounts', path, '--batch-id', randomUUID());
    expect(again.summary.rows).toMatchObject({ sent: 600, applied: 1, unchanged: 599 });
  });

  test('is read from its beginning, though an earlier run stopped in its middle', async () => {
    let posts = 0;
    const proxy = await faultProxy(api.baseUrl, ({ method, path }) =>
      method === 'POST' && path === '/v1/batches' && ++posts > 1 ? { status: 400 } : undefined,
    );
    stops.push(proxy.stop);
    // The proxy is the same service to the importer in both runs.
    const reached = { ...environment, ONBOARDING_BASE_URL: proxy.endpoint };
    const { path, batchId, content } = fileOf(accounts(1001));
    const name = ['--batch-id', batchId];
    expect((await importCommand(reached, 'accounts', path, ...name)).status).toBe(2);
    expect(readFileSync(`${path}.import.json`, 'utf8')).toContain('"chunk":1');
    writeFileSync(path, content.replace('\n7,holder,primary', '\n7,holder,joint'));
    posts = -10;
    const { status, stderr } = await importCommand(reached, 'accounts', path, ...name);
    expect(status).toBe(2);
    expect(stderr).toContain('Lines 2 to 501 were sent before');
  });

  test('by whole chunks is told by their number', async () => {
    const { path, batchId } = fileOf(accounts(500));
    const name = ['--batch-id', batchId];
    await importJson(environment, 'accounts', path, ...name);
    writeFileSync(path, `${readFileSync(path, 'utf8')}1000,holder,,FREE,checking,1\n`);
    const { status, stderr } = await importCommand(environment, 'accounts', path, ...name);
    expect(status).toBe(2);
    expect(stderr).toContain(`differs from the number announced before under the batch id ${batchId}`);
  });
});

test('chunks of the batch that this file does not have are named, and not waited for', async () => {
  const { path, batchId, content } = fileOf(accounts(3));
  const chunk = { type: 'accounts', batch_id: batchId, chunk_index: 0, chunk_count: 3 };
  const body = { ...chunk, records: await recordsIn(content) };
  expect((await api.request('POST', '/v1/batches', { token: team.token, body })).status).toBe(202);
  const { status, stderr } = await importCommand(environment, 'accounts', path, '--batch-id', batchId);
  expect(status).toBe(2);
  expect(stderr).toContain(`Batch ${batchId} was announced with 3 chunks, but these were never accepted: 1, 2.`);
});

test('a chunk that stands failed is tried again by the same command', async () => {
  const { path, batchId, content } = fileOf(accounts(3, 7));
  // Accepted without a wake, and failed. The worker of another test would find the chunk of the same team.
  const { team, environment } = await importSetting();
  const dependencies = serviceOn(api.database);
  await postBatch(dependencies, team.teamId, { batch_id: batchId, chunk_index: 0, records: await recordsIn(content) });
  await failNextChunk(dependencies, team.teamId);
  const { status, summary } = await importJson(environment, 'accounts', path, '--batch-id', batchId);
  expect([status, summary.rows]).toMatchObject([0, { sent: 3, repeated: 3, redriven: 3, rejected: 0 }]);
  expect((await statusOf(batchId, team)).status).toBe('completed');
});

describe('a service that takes no more chunks', () => {
  test('is waited for', async () => {
    let refusals = 0;
    // More often than the client retries itself.
    const full = (): Fault | undefined =>
      ++refusals <= 20 ? { status: 429, headers: { 'retry-after': '0' } } : undefined;
    const proxy = await faultProxy(api.baseUrl, ({ method, path }) =>
      method === 'POST' && path === '/v1/batches' ? full() : undefined,
    );
    stops.push(proxy.stop);
    const reached = { ...environment, ONBOARDING_BASE_URL: proxy.endpoint };
    const { path, batchId } = fileOf(accounts(3));
    const { status, stderr } = await importCommand(reached, 'accounts', path, '--batch-id', batchId);
    expect(status).toBe(0);
    expect(stderr).toContain('The service has too many open chunks. Waiting until some are applied');
  });
});
