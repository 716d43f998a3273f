import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, it, test } from 'vitest';
import { faultProxy } from '../../support/aws/fault-proxy.ts';
import { reservedPort } from '../../support/http/ports.ts';
import { Bank } from '../../support/service/imports.ts';
import { launchService } from '../../support/service/process.ts';
import { service, startService } from '../../support/service/service.ts';

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

it.each(['PORT', 'DYNAMODB_PORT', 'SQS_PORT'])('a taken %s is one clear line', async (name) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  stops.push(() => other.close());
  const { port } = other.address() as AddressInfo;
  const refused = launchService({ environment: { [name]: String(port) } });
  stops.push(refused.stop);
  expect(await refused.exited).toBe(1);
  expect(refused.output().trim()).toMatch(new RegExp(`^Port ${port} is taken\\.[^\\n]*${name}=[^\\n]*$`));
});

test('database and queue listen on their ports; the functions, and only they, reach them where they are told to', async () => {
  const [dynamodb, sqs] = [await reservedPort(), await reservedPort()];
  const database = await faultProxy(`http://127.0.0.1:${dynamodb}`);
  const queue = await faultProxy(`http://127.0.0.1:${sqs}`);
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
  expect(operations(database.requests)).toContain('TransactWriteItems');
  expect(operations(database.requests)).toContain('BatchExecuteStatement');
  expect(operations(database.requests)).not.toContain('CreateTable');
  expect([...operations(queue.requests)]).toEqual([expect.stringMatching(/^SendMessage/)]);
  const { dynamodb_endpoint, sqs_endpoint, queue_url } = api.local;
  expect(dynamodb_endpoint).toBe(`http://127.0.0.1:${dynamodb}`);
  expect(sqs_endpoint).toBe(`http://127.0.0.1:${sqs}`);
  expect(queue_url).toBe(`http://127.0.0.1:${sqs}${new URL(queue_url).pathname}`);
});

test('another database takes the place of the embedded one', async () => {
  const owner = (await service()).local;
  const { local } = await start({ DYNAMODB_ENDPOINT: owner.dynamodb_endpoint });
  expect(local.dynamodb_endpoint).toBe(owner.dynamodb_endpoint);
  // In memory mode it uses its own table there.
  expect(local.table_name).not.toBe(owner.table_name);
});
