import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { functionThread } from '../../../bin/local/functions/thread.ts';

const thread = functionThread();
afterEach(() => thread.stop());

const seconds = 20;
/** The function that forwards notices needs nothing to handle an event without records. */
const nothing = { Records: [] };

test('runs a function and returns its result', async () => {
  expect(await thread.invoke('drop-box-notice', nothing, seconds)).toEqual({ batchItemFailures: [] });
});

test('runs invocations at the same time', async () => {
  const results = await Promise.all([1, 2, 3].map(() => thread.invoke('drop-box-notice', nothing, seconds)));
  expect(results).toEqual([1, 2, 3].map(() => ({ batchItemFailures: [] })));
});

test('reports why an invocation failed', async () => {
  await expect(thread.invoke('no-such-function', nothing, seconds)).rejects.toThrow('there is no function');
});

test('fails the invocations of a thread that ends, and starts another one', async () => {
  const lost = thread.invoke('drop-box-notice', nothing, seconds);
  const failed = expect(lost).rejects.toThrow('the thread of the function has ended');
  await thread.stop();
  await failed;
  expect(await thread.invoke('drop-box-notice', nothing, seconds)).toEqual({ batchItemFailures: [] });
});

test('ends an invocation that times out, before its failure is known, so that it never runs beside its repeat', async () => {
  // A queue that never responds.
  const open = new Set<Socket>();
  const server = createServer((socket) =>
    open.add(
      socket
        .on('close', () => open.delete(socket))
        .on('error', () => {})
        .resume(),
    ),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}/queue`;
  const names = { TABLE_NAME: 'table', ISSUER: url, DROP_BUCKET: 'bucket', DROP_QUEUE_URL: url, LOG_LEVEL: 'SILENT' };
  const access = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' };
  const endpoint = { AWS_ENDPOINT_URL_SQS: url, AWS_REGION: 'eu-central-1' };
  for (const [name, value] of Object.entries({ ...names, ...access, ...endpoint })) vi.stubEnv(name, value);
  const object = {
    s3: { bucket: { name: 'bucket' }, object: { key: `${randomUUID()}/accounts/a.csv`, versionId: '1', size: 1 } },
  };
  const notice = { Records: [{ messageId: '1', body: JSON.stringify({ Records: [object] }) }] };
  const repeat = () => thread.invoke('drop-box-notice', notice, 2);
  try {
    const [first, neighbour] = [repeat(), thread.invoke('drop-box-notice', notice, seconds)];
    const lost = expect(neighbour).rejects.toThrow('the thread of the function has ended');
    await vi.waitFor(() => expect(open.size).toBe(2), 10_000);
    await expect(first).rejects.toThrow('took longer than 2 seconds');
    await lost;
    await vi.waitFor(() => expect(open.size).toBe(0), 200);
    await expect(repeat()).rejects.toThrow('took longer than 2 seconds');
  } finally {
    vi.unstubAllEnvs();
    await thread.stop();
    server.close();
  }
});
