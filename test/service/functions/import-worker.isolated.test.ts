import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Context, SQSEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { type Bucket, startBucket, versionOf } from '../../../bin/local/storage/bucket.ts';
import type { KindOfWork } from '../../../lib/domain/waiting-work/lane.ts';
import { kinds } from '../../../lib/files/kinds.ts';
import { judgeFile } from '../../../lib/operations/drop-box/expected.ts';
import { saveExpectedFile } from '../../../lib/store/drop-box/expected-files.ts';
import { completionWork, nextCompletionWork } from '../../../lib/store/events/completion-work.ts';
import { contactKey, importStateKey } from '../../../lib/store/table/keys.ts';
import { freshTable, localCredentials, localRegion } from '../../support/engine/engine.ts';
import { logLines } from '../../support/http/log-lines.ts';
import { listen } from '../../support/http/loopback.ts';
import { openChunks, postBatch } from '../../support/operations/import-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { newTeam } from '../../support/operations/teams.ts';
import { temporaryDirectory } from '../../support/service/process.ts';

/** The functions of imports and of the drop box as Lambda calls them, with a queue that records each request. */
type QueueRequest = { operation: string; body: Record<string, unknown> };
let requests: QueueRequest[];
/** The operations that the queue rejects, or texts in the messages that it rejects. */
let refused: string[];
let teamId: string;
let stopQueue: () => unknown;
let bucket: Bucket;
let database: Awaited<ReturnType<typeof freshTable>>['database'];

const queue = createServer(async (request, response) => {
  const body = JSON.parse(await text(request));
  const operation = String(request.headers['x-amz-target']).replace('AmazonSQS.', '');
  requests.push({ operation, body });
  const isRefused = refused.some((each) => each === operation || String(body.MessageBody).includes(each));
  const MD5OfMessageBody = createHash('md5').update(String(body.MessageBody)).digest('hex');
  response
    .writeHead(isRefused ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' })
    .end(JSON.stringify(isRefused ? { __type: 'AccessDenied' } : { MessageId: 'message-2', MD5OfMessageBody }));
});

beforeAll(async () => {
  const { endpoint, stop } = await listen(queue);
  stopQueue = stop;
  bucket = await startBucket('drop-box', temporaryDirectory());
  const table = await freshTable();
  database = table.database;
  Object.assign(process.env, {
    TABLE_NAME: table.tableName,
    ISSUER: 'https://api.example.com',
    AWS_ENDPOINT_URL_SQS: endpoint,
    QUEUE_URL: `${endpoint}/imports`,
    WEBHOOK_QUEUE_URL: `${endpoint}/webhooks`,
    TARGETING_QUEUE_URL: `${endpoint}/targeting`,
    DROP_QUEUE_URL: `${endpoint}/drops`,
    DROP_BUCKET: bucket.name,
    AWS_ENDPOINT_URL_S3: bucket.endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodbEndpoint'),
    AWS_REGION: localRegion,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  });
});
afterAll(async () => {
  await stopQueue();
  await bucket.stop();
});

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
    await postBatch(serviceOn(database), team, { batch_id: 'b', chunk_index, records });
  }
}

const lane = (work: KindOfWork) => ({ work, team_id: teamId });

/** Calls the function with the team's message. @param remaining the remaining milliseconds at each check */
async function work(remaining: number | (() => number), received = 1, sent: object | string = {}) {
  const { handler } = await import('../../../functions/imports/worker.ts');
  const body = typeof sent === 'string' ? sent : JSON.stringify({ ...lane('imports'), ...sent });
  const getRemainingTimeInMillis = typeof remaining === 'number' ? () => remaining : remaining;
  return handler(eventOf([body], received), { getRemainingTimeInMillis } as Context);
}
/** What the functions have logged. */
const logged = () =>
  logLines([process.stdout, process.stderr].flatMap(({ write }) => vi.mocked(write).mock.calls.flat()).join('\n'));
/** An event with a message for each body. */
const eventOf = (bodies: readonly string[], received = 1) => {
  const attributes = { ApproximateReceiveCount: `${received}` };
  const Records = bodies.map((body, n) => ({
    messageId: `message-${n + 1}`,
    receiptHandle: `receipt-${n + 1}`,
    body,
    attributes,
  }));
  return { Records } as unknown as SQSEvent;
};
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
    const counts = { chunks_completed: 2, records_applied: 2, records_unchanged: 0, records_rejected: 0 };
    expect(logged()).toMatchObject([{ message: 'chunks were worked', wakes: 1, ...counts }]);
  });

  test.each(['', '[]', '{"team_id":7}', '{"work":"webhooks","team_id":"t"}'])(
    'of a message that names no lane of its own discards it: %j',
    async (body) => {
      expect(await work(enough, 1, body)).toEqual(done);
      expect([requests, await openOrders()]).toEqual([[], [1, 2]]);
    },
  );

  test('whose time is nearly over begins no chunk, and wakes the next worker of the team', async () => {
    expect(await work(tooLittle)).toEqual(done);
    expect(await openOrders()).toEqual([1, 2]);
    const wake = { MessageBody: JSON.stringify(lane('imports')), MessageGroupId: `${teamId}#imports` };
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
  const complete = (remaining: Parameters<typeof work>[0]) => work(remaining, 1, lane('completions'));
  beforeEach(async () => {
    const facts = { contactIds: [crypto.randomUUID()], accountNumbers: ['1', '2'] };
    await database.write(completionWork(teamId, '2026-03-01T12:00:00.000000Z', 'a record', facts));
  });

  test('works what waits in the lane, and leaves the chunks to their own message', async () => {
    expect(await complete(enough)).toEqual(done);
    expect([await waiting(), await openOrders(), requests]).toEqual([false, [1, 2], []]);
  });

  test('whose time is over wakes the lane, which has a message group of its own', async () => {
    expect(await complete(tooLittle)).toEqual(done);
    expect(await waiting()).toBe(true);
    const MessageBody = JSON.stringify(lane('completions'));
    expect(requests).toMatchObject([{ body: { MessageBody, MessageGroupId: `${teamId}#completions` } }]);
  });

  test('whose turn of twenty seconds is over wakes it too, although a chunk could still be begun', async () => {
    const looks = [60_000];
    expect(await complete(() => looks.shift() ?? 39_999)).toEqual(done);
    expect([await waiting(), requests.length]).toEqual([true, 1]);
  });

  test('counts a contact on which the code fails, and passes it over', async () => {
    const contact_id = crypto.randomUUID();
    await database.write([
      { kind: 'insert', item: { ...contactKey(teamId, contact_id), data: 'no JSON' } },
      ...completionWork(teamId, '2026-03-01T12:00:00.000000Z', 'another', { contactIds: [contact_id] }),
    ]);
    expect(await complete(enough)).toEqual(done);
    expect(logged()).toMatchObject([{ level: 'ERROR', team_id: teamId, contact_id, contacts_passed_over: 1 }]);
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
    const { handler } = await import('../../../functions/waiting-work/sweeper.ts');
    return handler({ all: true }, { getRemainingTimeInMillis });
  }
  const openOfEach = async () => (await Promise.all(teams.map(openOrders))).map(({ length }) => length);

  test('works the chunks of each team itself', async () => {
    expect(await sweep(60_000)).toMatchObject({ imports: { woken: 0, worked: 2, not_woken: 0 } });
    expect(await openOfEach()).toEqual([0, 0]);
  });

  test('sends no wake when it needs the time that is left to work', async () => {
    expect(await sweep(45_000)).toMatchObject({ imports: { woken: 0, worked: 2, not_woken: 0 } });
    expect(requests).toEqual([]);
    expect(await openOfEach()).toEqual([0, 0]);
  });

  test('gives each team its share of the time', async () => {
    expect(await sweep(64_000, 2_000)).toMatchObject({ imports: { woken: 0, worked: 0, not_woken: 2 } });
    for (const open of await openOfEach()) {
      expect(open).toBeGreaterThan(0);
      expect(open).toBeLessThan(10);
    }
  });

  test('begins no chunk in the last half minute', async () => {
    expect(await sweep(30_000)).toMatchObject({ imports: { woken: 0, worked: 0, not_woken: 2 } });
    expect(await openOfEach()).toEqual([10, 10]);
  });
});

test('a sweeper warns of completions that waited, also where no chunk did', async () => {
  const team_id = await newTeam(database);
  const facts = { contactIds: [crypto.randomUUID()] };
  await database.write(completionWork(team_id, '2026-03-01T12:00:00.000000Z', 'a record', facts));
  const { handler } = await import('../../../functions/waiting-work/sweeper.ts');
  const { imports } = await handler({ all: true }, { getRemainingTimeInMillis: () => 60_000 });
  expect(imports.woken).toBe(0);
  const warning = { level: 'WARN', message: 'lanes that waited were woken or worked' };
  expect(logged()).toContainEqual(
    expect.objectContaining({ ...warning, completions: expect.objectContaining({ woken: 1 }) }),
  );
  await work(enough, 1, { work: 'completions', team_id });
});

test('a sweeper that cannot read the state of one team wakes the others, and fails at its end', async () => {
  const [broken, other] = [await newTeam(database), await newTeam(database)];
  for (const team of [broken, other]) await accept(team, 1);
  const state = { kind: 'insert' as const, item: { ...importStateKey(broken), begun: 'no number' } };
  await database.write([state]);
  const { handler } = await import('../../../functions/waiting-work/sweeper.ts');
  const sweep = handler({ all: true }, { getRemainingTimeInMillis: () => 60_000 });
  await expect(sweep).rejects.toThrow('teams could not be swept');
  expect(requests.map(({ body }) => body.MessageGroupId)).toEqual([`${other}#imports`]);
});

test('a sweeper counts the files that are missing apart from those that ended badly', async () => {
  const day = { team_id: teamId, by: '12:00', time_zone: 'UTC', inserted_at: '2026-01-01T00:00:00.000000Z' };
  const received_at = new Date().toISOString();
  await saveExpectedFile(database, { ...day, type: 'accounts', last_arrival_at: null });
  await saveExpectedFile(database, { ...day, type: 'contacts', last_arrival_at: received_at });
  const ended = { file_id: 'f', received_at, status: 'failed', rows: { read: 1, accepted: 0, rejected: 1 } } as const;
  await judgeFile(serviceOn(database), { teamId, type: 'contacts' }, ended);
  const { handler } = await import('../../../functions/waiting-work/sweeper.ts');
  await handler({}, { getRemainingTimeInMillis: () => 60_000 }).catch(() => {});
  expect(logged()).toContainEqual(expect.objectContaining({ files_missing: 1, files_unexpected: 1 }));
});

describe('the drop box', () => {
  const objectOf = (key: string, name = 'drop-box') => ({ s3: { bucket: { name }, object: { key, versionId: 'v' } } });
  const noticeOf = (...records: object[]) => JSON.stringify({ Records: records });

  test('gets each notice again that could not be handed on, and no other', async () => {
    refused = ['away.csv'];
    const { handler } = await import('../../../functions/drop-box/notice.ts');
    const of = (path: string, name?: string) => objectOf(`${teamId}/contacts/${path}`, name);
    const bodies = [
      noticeOf(of('a+b.csv'), of('a.csv.report.json'), of('other.csv', 'other-bucket'), of('c.csv')),
      noticeOf(of('away.csv')),
      'no JSON',
      noticeOf(of('d.csv')),
      '{"Event":"s3:TestEvent"}',
    ];
    const { batchItemFailures } = await handler(eventOf(bodies));
    expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['message-2', 'message-3']);
    const sent = requests.map(({ body }) => JSON.parse(String(body.MessageBody)).key.split('/')[2]);
    expect(sent).toEqual(['a b.csv', 'c.csv', 'away.csv', 'd.csv']);
  });

  const path = (key: string) => join(bucket.folder, key);
  /** Calls the reader with the message of a file. @returns its response, and the seconds for which it postponed the message */
  async function read(
    remaining: number,
    { received = 1, version, rows = 1 }: { received?: number; version?: string; rows?: number } = {},
  ) {
    const key = `${await newTeam(database)}/contacts/c.csv`;
    mkdirSync(dirname(path(key)), { recursive: true });
    writeFileSync(path(key), `unique_id\n${'a\n'.repeat(rows)}`);
    const body = JSON.stringify({ key, version: version ?? versionOf(statSync(path(key), { bigint: true })) });
    const { handler } = await import('../../../functions/drop-box/reader.ts');
    const response = await handler(eventOf([body], received), { getRemainingTimeInMillis: () => remaining } as Context);
    const seconds = requests.map(({ body }) => body.VisibilityTimeout);
    return [response, seconds, existsSync(path(`${key}.report.json`))];
  }

  test('reads a file to its report, and until then its message comes again', async () => {
    expect(await read(60_000)).toEqual([done, [70], true]);
    requests = [];
    // With half a minute left, no other step is begun.
    expect(await read(30_000)).toEqual([failed, [40, 0], false]);
  });

  test('logs the first ten rows of a file on which the code fails, of however many', async () => {
    vi.spyOn(kinds.contacts, 'errors').mockImplementation(() => {
      throw new TypeError('a bug');
    });
    expect(await read(60_000, { rows: 12 })).toEqual([done, [70], true]);
    const failures = logged().filter(({ level }) => level === 'ERROR');
    expect(failures.map(({ message }) => message)).toEqual(Array(10).fill('a row was rejected: the code failed on it'));
  });

  test('gets the message of a file again, later and later, whose attempt ends with an error', async () => {
    await bucket.stop();
    expect(await read(60_000, { received: 3 })).toEqual([failed, [70, 8], false]);
    requests = [];
    expect(await read(60_000, { received: 9 })).toEqual([failed, [70, 60], false]);
  });

  test.each(['', '{}', '{"key":7,"version":"v"}'])('discards a message that names no file: %j', async (body) => {
    const { handler } = await import('../../../functions/drop-box/reader.ts');
    const response = await handler(eventOf([body]), { getRemainingTimeInMillis: () => 60_000 } as Context);
    expect([response, requests]).toEqual([done, []]);
  });
});
