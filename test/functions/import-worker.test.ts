import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Context, SQSEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { completionWork, nextCompletionWork } from '../../lib/store/completion-work.ts';
import { importStateKey } from '../../lib/store/keys.ts';
import { freshTable, localCredentials, localRegion } from '../support/engine.ts';
import { importDependencies, openChunks, postBatch } from '../support/import-operations.ts';
import { listen } from '../support/loopback.ts';
import { newTeam } from '../support/teams.ts';

/** The import worker and the sweeper as Lambda calls them, with a queue that records each request. */
type QueueRequest = { operation: string; body: Record<string, unknown> };
let requests: QueueRequest[];
/** The operations that the queue rejects. */
let refused: string[];
let teamId: string;
let stopQueue: () => unknown;
let database: Awaited<ReturnType<typeof freshTable>>['database'];

const queue = createServer(async (request, response) => {
  const body = JSON.parse(await text(request));
  const operation = String(request.headers['x-amz-target']).replace('AmazonSQS.', '');
  requests.push({ operation, body });
  const isRefused = refused.includes(operation);
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
    QUEUE_URL: `${endpoint}/imports`,
    AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodbEndpoint'),
    AWS_REGION: localRegion,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  });
});
afterAll(() => stopQueue());

beforeEach(async () => {
  requests = [];
  refused = [];
  teamId = crypto.randomUUID();
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true);
  // A machine that stalls is slower than the second that a wake may take.
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
  await accept(teamId, 2);
});
afterEach(() => vi.restoreAllMocks());

async function accept(team: string, chunks: number): Promise<void> {
  for (let chunk_index = 0; chunk_index < chunks; chunk_index++) {
    const records = [{ account_number: `${chunk_index}`, product: { code: 'C', type: 'loan' } }];
    await postBatch(importDependencies(database), team, { batch_id: 'b', chunk_index, records });
  }
}

/** Calls the function with the team's message. @param remaining the remaining milliseconds at each check */
async function work(remaining: number, received = 1, fields: object = {}) {
  const { handler } = await import('../../functions/imports/worker.ts');
  const body = JSON.stringify({ team_id: teamId, ...fields });
  const attributes = { ApproximateReceiveCount: `${received}` };
  const record = { messageId: 'message-1', receiptHandle: 'receipt-1', body, attributes };
  const event = { Records: [record] } as unknown as SQSEvent;
  return handler(event, { getRemainingTimeInMillis: () => remaining } as Context);
}
const done = { batchItemFailures: [] };
const failed = { batchItemFailures: [{ itemIdentifier: 'message-1' }] };
const openOrders = async (team = teamId) => (await openChunks(database, team)).map(({ order }) => order);

const enough = 20_001;
const tooLittle = 20_000;

describe('a worker', () => {
  test('that has worked everything wakes nobody', async () => {
    expect(await work(enough)).toEqual(done);
    expect(await openOrders()).toEqual([]);
    expect(requests).toEqual([]);
  });

  test('whose time is nearly over begins no chunk, and wakes the next worker of the team', async () => {
    expect(await work(tooLittle)).toEqual(done);
    expect(await openOrders()).toEqual([1, 2]);
    const wake = { MessageBody: JSON.stringify({ team_id: teamId }), MessageGroupId: teamId };
    expect(requests).toMatchObject([{ operation: 'SendMessage', body: wake }]);
  });

  test('that cannot wake the next one gets its own message again', async () => {
    refused = ['SendMessage'];
    expect(await work(tooLittle)).toEqual(failed);
    const postponed = { ReceiptHandle: 'receipt-1', VisibilityTimeout: 2 };
    expect(requests).toMatchObject([
      { operation: 'SendMessage' },
      { operation: 'ChangeMessageVisibility', body: postponed },
    ]);
  });

  test('that cannot postpone its message either leaves it to its visibility timeout', async () => {
    refused = ['SendMessage', 'ChangeMessageVisibility'];
    expect(await work(tooLittle)).toEqual(failed);
  });

  test.each([
    [1, 2],
    [2, 4],
    [3, 8],
    [4, 10],
    [100, 10],
  ])(
    'whose attempt breaks off at receipt %i of its message gets it again after %i seconds',
    async (received, seconds) => {
      await database.write([{ kind: 'insert', item: { ...importStateKey(teamId), begun: 'no number' } }]);
      expect(await work(enough, received)).toEqual(failed);
      const body = { ReceiptHandle: 'receipt-1', VisibilityTimeout: seconds };
      expect(requests).toMatchObject([{ operation: 'ChangeMessageVisibility', body }]);
    },
  );
});

describe('a worker of completions', () => {
  const waiting = async () => (await nextCompletionWork(database, teamId)) !== undefined;
  const complete = (remaining: number) => work(remaining, 1, { work: 'completions' });
  beforeEach(async () => {
    const facts = { contactIds: [crypto.randomUUID()], accountNumbers: ['1', '2'] };
    await database.write(completionWork(teamId, '2026-03-01T12:00:00.000000Z', facts));
  });

  test('works what waits in the lane, and leaves the chunks to their own message', async () => {
    expect(await complete(enough)).toEqual(done);
    expect([await waiting(), await openOrders(), requests]).toEqual([false, [1, 2], []]);
  });

  test('whose time is over wakes the lane, which has a message group of its own', async () => {
    expect(await complete(tooLittle)).toEqual(done);
    expect(await waiting()).toBe(true);
    const MessageBody = JSON.stringify({ team_id: teamId, work: 'completions' });
    expect(requests).toMatchObject([{ body: { MessageBody, MessageGroupId: `${teamId}#completions` } }]);
  });

  test('that cannot wake it, or breaks off, gets its own message again', async () => {
    refused = ['SendMessage'];
    expect(await complete(tooLittle)).toEqual(failed);
    const { pk, sk } = (await nextCompletionWork(database, teamId))!;
    await database.write([{ kind: 'update', key: { pk, sk }, set: { contacts: 7 }, expect: {} }]);
    expect(await complete(enough)).toEqual(failed);
    expect(requests.at(-1)).toMatchObject({ operation: 'ChangeMessageVisibility' });
  });
});

describe('a sweeper whose wakes are all refused', () => {
  let teams: string[];
  beforeEach(async () => {
    refused = ['SendMessage'];
    teams = [await newTeam(database), await newTeam(database)];
    for (const team of teams) await accept(team, 10);
  });
  // The next test has no team with open chunks but its own.
  afterEach(() => sweep(60_000));
  /** @param tick milliseconds that pass between two checks of the remaining time */
  async function sweep(remaining: number, tick = 0) {
    let left = remaining + tick;
    const getRemainingTimeInMillis = () => {
      left -= tick;
      return left;
    };
    const { handler } = await import('../../functions/imports/sweeper.ts');
    return handler({ all: true }, { getRemainingTimeInMillis });
  }
  const openOfEach = async () => (await Promise.all(teams.map(openOrders))).map(({ length }) => length);

  test('works the chunks of each team itself', async () => {
    expect(await sweep(60_000)).toMatchObject({ woken: 0, worked: 2, not_woken: 0 });
    expect(await openOfEach()).toEqual([0, 0]);
  });

  test('sends no wake when it needs the time that is left to work', async () => {
    expect(await sweep(45_000)).toMatchObject({ woken: 0, worked: 2, not_woken: 0 });
    expect(requests).toEqual([]);
    expect(await openOfEach()).toEqual([0, 0]);
  });

  test('gives each team its share of the time', async () => {
    expect(await sweep(64_000, 2_000)).toMatchObject({ woken: 0, worked: 0, not_woken: 2 });
    for (const open of await openOfEach()) {
      expect(open).toBeGreaterThan(0);
      expect(open).toBeLessThan(10);
    }
  });

  test('begins no chunk in the last half minute', async () => {
    expect(await sweep(30_000)).toMatchObject({ woken: 0, worked: 0, not_woken: 2 });
    expect(await openOfEach()).toEqual([10, 10]);
  });
});
