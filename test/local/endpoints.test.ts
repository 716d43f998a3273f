import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, it, test } from 'vitest';
import { freePort } from '../../bin/local/ports.ts';
import { Bank } from '../support/imports.ts';
import { launchService } from '../support/process.ts';
import { recordingProxy } from '../support/recording-proxy.ts';
import { startService } from '../support/service.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function start(environment: Record<string, string>) {
  const api = await startService({ environment });
  stops.push(api.process.stop);
  return api;
}

const records = [{ account_number: 'A', product: { code: 'P', type: 'checking' } }];

test('the embedded database and queue listen on the ports that were chosen for them', async () => {
  const [dynamodb, sqs] = [await freePort(), await freePort()];
  const { local } = await start({ DYNAMODB_PORT: String(dynamodb), SQS_PORT: String(sqs) });
  expect(local.dynamodb_endpoint).toBe(`http://127.0.0.1:${dynamodb}`);
  expect(local.sqs_endpoint).toBe(`http://127.0.0.1:${sqs}`);
  expect(local.queue_url).toBe(`http://127.0.0.1:${sqs}${new URL(local.queue_url).pathname}`);
});

it.each(['DYNAMODB_PORT', 'SQS_PORT'])('a taken %s is one clear line', async (name) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  stops.push(() => other.close());
  const { port } = other.address() as AddressInfo;
  const refused = launchService({ environment: { [name]: String(port) } });
  stops.push(refused.stop);
  expect(await refused.exited).toBe(1);
  expect(refused.output().trim()).toMatch(new RegExp(`^Port ${port} is taken\\.[^\\n]*${name}=`));
});

test('the functions, and only they, reach database and queue where they are told to', async () => {
  const [dynamodb, sqs] = [await freePort(), await freePort()];
  const database = await recordingProxy(`http://127.0.0.1:${dynamodb}`);
  const queue = await recordingProxy(`http://127.0.0.1:${sqs}`);
  stops.push(database.stop, queue.stop);
  const api = await start({
    DYNAMODB_PORT: String(dynamodb),
    SQS_PORT: String(sqs),
    FUNCTIONS_DYNAMODB_ENDPOINT: database.endpoint,
    FUNCTIONS_SQS_ENDPOINT: queue.endpoint,
  });
  const bank = await Bank.open(api);
  expect(await bank.apply(...records)).toMatchObject({ status: 'completed', records: { applied: 1 } });

  const operations = (seen: { operation: string }[]) => new Set(seen.map(({ operation }) => operation));
  expect(operations(database.seen)).toContain('TransactWriteItems');
  expect(operations(database.seen)).toContain('BatchExecuteStatement');
  expect(operations(database.seen)).not.toContain('CreateTable');
  expect([...operations(queue.seen)]).toEqual([expect.stringMatching(/^SendMessage/)]);
  expect(api.local.dynamodb_endpoint).toBe(`http://127.0.0.1:${dynamodb}`);
  expect(new URL(api.local.queue_url).port).toBe(String(sqs));
});

test('another database takes the place of the embedded one', async () => {
  const owner = await start({});
  const { local } = await start({ DYNAMODB_ENDPOINT: owner.local.dynamodb_endpoint });
  expect(local.dynamodb_endpoint).toBe(owner.local.dynamodb_endpoint);
  // In memory mode it uses its own table there.
  expect(local.table_name).not.toBe(owner.local.table_name);
});
