import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Context, SQSEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { appendEvents } from '../../../lib/operations/events/append-events.ts';
import { createWebhook } from '../../../lib/operations/events/webhooks.ts';
import { DynamoDatabase } from '../../../lib/store/table/dynamodb.ts';
import { webhookKey } from '../../../lib/store/table/keys.ts';
import { freshTable, localCredentials, localRegion } from '../../support/engine/engine.ts';
import { listen } from '../../support/http/loopback.ts';
import { type Receiver, startReceiver } from '../../support/http/webhook-receiver.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { newTeam } from '../../support/operations/teams.ts';
import { contactEvent } from '../../support/operations/webhooks.ts';
import { publisher } from '../../support/samples/events.ts';

/** The function that delivers webhooks as Lambda calls it, with a queue that records each request. */
let requests: { operation: string; body: Record<string, unknown> }[];
let isRefused: boolean;
let stopQueue: () => unknown;
let database: Awaited<ReturnType<typeof freshTable>>['database'];
let receiver: Receiver;
let ids: { team_id: string; webhook_id: string };

const queue = createServer(async (request, response) => {
  const body = JSON.parse(await text(request));
  requests.push({ operation: String(request.headers['x-amz-target']).replace('AmazonSQS.', ''), body });
  const MD5OfMessageBody = createHash('md5').update(String(body.MessageBody)).digest('hex');
  response
    .writeHead(isRefused ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' })
    .end(JSON.stringify(isRefused ? { __type: 'AccessDenied' } : { MessageId: 'message-2', MD5OfMessageBody }));
});

beforeAll(async () => {
  const { endpoint, stop } = await listen(queue);
  stopQueue = stop;
  const table = await freshTable();
  database = table.database;
  Object.assign(process.env, {
    TABLE_NAME: table.tableName,
    ISSUER: 'https://api.example.com',
    AWS_ENDPOINT_URL_SQS: endpoint,
    WEBHOOK_QUEUE_URL: `${endpoint}/webhooks`,
    LOCAL_WEBHOOKS: 'allowed',
    WEBHOOK_DENIED_RANGES: '93.184.0.0/16 2606:2800::/32',
    AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodbEndpoint'),
    AWS_REGION: localRegion,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  });
});
afterAll(() => stopQueue());

beforeEach(async () => {
  [requests, isRefused] = [[], false];
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true);
  receiver = await startReceiver();
  const team_id = await newTeam(database);
  const wake = async () => {};
  const dependencies = { ...serviceOn(database), wake };
  const { webhook } = await createWebhook(dependencies, { team_id, url: receiver.url, types: null }, undefined);
  ids = { team_id, webhook_id: webhook.webhook_id };
  const events = [1, 2].map((number) => contactEvent(number, number, { team_id }));
  await appendEvents(publisher(database), team_id, events);
});
afterEach(() => vi.restoreAllMocks());

const message = (id = ids.webhook_id) => JSON.stringify({ work: 'webhooks', team_id: ids.team_id, id });
const ownGroup = () => `${ids.team_id}#webhooks#${ids.webhook_id}`;

/** @param remaining the remaining milliseconds at each check */
async function deliver({ remaining = 60_000, received = 1, group = ownGroup(), body = message() } = {}) {
  const { handler } = await import('../../../functions/events/deliver.ts');
  const attributes = { ApproximateReceiveCount: `${received}`, MessageGroupId: group };
  const record = { messageId: 'message-1', receiptHandle: 'receipt-1', body, attributes };
  const sent = { Records: [record] } as unknown as SQSEvent;
  return handler(sent, { getRemainingTimeInMillis: () => remaining } as Context);
}
const done = { batchItemFailures: [] };
const kept = { batchItemFailures: [{ itemIdentifier: 'message-1' }] };
const wakeIn = (MessageGroupId: string) => {
  return { operation: 'SendMessage', body: { MessageBody: message(), MessageGroupId } };
};
const stepOf = (VisibilityTimeout: number) => {
  return { operation: 'ChangeMessageVisibility', body: { ReceiptHandle: 'receipt-1', VisibilityTimeout } };
};
const slowGroup = expect.stringMatching(/^[0-9a-f-]{36}#slow#[0-4]$/);
const stored = async (name: 'data' | 'progress') => {
  const [item] = await database.get([webhookKey(ids.team_id, ids.webhook_id)]);
  return JSON.parse(String(item![name]));
};
const change = async (changed: object, name: 'data' | 'progress' = 'progress') => {
  const key = webhookKey(ids.team_id, ids.webhook_id);
  const set = { [name]: JSON.stringify({ ...(await stored(name)), ...changed }) };
  await database.write([{ kind: 'update', key, set, expect: {} }]);
};

describe('a message', () => {
  test('whose events are received is done, wakes nobody, and leaves no connection open', async () => {
    expect([await deliver(), requests]).toEqual([done, []]);
    expect(receiver.received).toHaveLength(2);
    await expect.poll(() => receiver.open).toBe(0);
  });

  test('that names no webhook is discarded, as one of a webhook that was removed', async () => {
    for (const body of ['{', message(ids.team_id)]) {
      expect([await deliver({ body }), requests]).toEqual([done, []]);
    }
  });

  test('comes again within seconds if the table is away, or the item of the webhook is defective', async () => {
    vi.spyOn(DynamoDatabase.prototype, 'get').mockRejectedValueOnce(new Error('away'));
    expect([await deliver(), requests]).toMatchObject([kept, [stepOf(2)]]);
    await change({ position: 'nowhere' });
    expect([await deliver({ received: 9 }), requests.slice(1)]).toMatchObject([kept, [stepOf(10)]]);
    expect(receiver.received).toEqual([]);
  });

  test('that an attempt cannot follow in time goes to the back of the queue, and nothing is sent', async () => {
    expect([await deliver({ remaining: 15_000 }), requests]).toMatchObject([done, [wakeIn(ownGroup())]]);
    expect(receiver.received).toEqual([]);
  });

  test('of an address that the institution uses itself is not sent', async () => {
    await change({ url: 'https://93.184.215.14/' }, 'data');
    await deliver();
    expect((await stored('progress')).last_attempt).toMatchObject({ result: 'address_refused' });
  });

  test('is kept if what goes on later cannot be put to the back of the queue', async () => {
    isRefused = true;
    expect(await deliver({ remaining: 15_000 })).toEqual(kept);
  });

  test('waits for the next attempt in the queue, a few seconds each time, and then leaves it to the sweep', async () => {
    receiver.answer = () => 500;
    expect([await deliver(), requests]).toMatchObject([kept, [stepOf(5)]]);
    expect(receiver.received).toHaveLength(2);
    expect([await deliver({ received: 21 }), requests]).toMatchObject([done, [stepOf(5)]]);
    expect(receiver.received).toHaveLength(2);
  });

  test('of a receiver that is slow goes on in a message group of its team, and ends its turn after seconds', async () => {
    receiver.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 2100));
      return 204;
    };
    const began = performance.now();
    expect([await deliver(), requests]).toMatchObject([done, [wakeIn(slowGroup as never)]]);
    expect(performance.now() - began).toBeLessThan(6000);
    expect([receiver.received.length, await deliver()]).toEqual([2, done]);
    // What comes later for it is passed on too.
    expect(requests.slice(1)).toMatchObject([wakeIn(slowGroup as never)]);
  });

  test('in a group of slow receivers waits for the next attempt in the group of its webhook', async () => {
    await change({ is_slow: true });
    receiver.answer = () => 500;
    await deliver();
    const group = String(requests[0]!.body.MessageGroupId);
    await change({
      next_at: new Date(Date.now() + 20_000).toISOString(),
      failures: 5,
      failing_since: new Date().toISOString(),
    });
    requests = [];
    expect([await deliver({ group }), requests]).toMatchObject([done, [wakeIn(ownGroup())]]);
    expect([await deliver(), requests.slice(1)]).toMatchObject([kept, [stepOf(5)]]);
    expect([await deliver({ received: 2 }), requests.slice(2)]).toMatchObject([done, [wakeIn(group)]]);
  });
});
