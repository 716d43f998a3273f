import { createHash } from 'node:crypto';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { createWebhook } from '../../../lib/operations/events/webhooks.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { webhookPartition } from '../../../lib/store/table/keys.ts';
import { type FaultProxy, faultProxy, storeError } from '../../support/aws/fault-proxy.ts';
import { freshTable, localCredentials, localRegion } from '../../support/engine/engine.ts';
import { idOf, post, team } from '../../support/operations/journey-operations.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { openStream, publishRecords, stream } from '../../support/operations/publishing.ts';
import { readAll } from '../../support/samples/events.ts';

/** The publisher as Lambda calls it: DynamoDB is the engine behind a proxy, SQS records what it is sent. */
let database: Database;
let proxies: FaultProxy[];
/** What DynamoDB refuses: requests with this text. */
let away: string | undefined;
let isQueueAway: boolean;
let sent: { QueueUrl: string; MessageBody: string }[];

beforeAll(async () => {
  const table = await freshTable();
  ({ database } = table);
  const store = await faultProxy(inject('dynamodbEndpoint'), ({ body }) =>
    away !== undefined && JSON.stringify(body).includes(away) ? storeError('AccessDeniedException') : undefined,
  );
  const queue = await faultProxy('http://127.0.0.1:9', ({ body }) => {
    if (isQueueAway) return { status: 400, body: JSON.stringify({ __type: 'AccessDenied' }) };
    sent.push(body);
    const MD5OfMessageBody = createHash('md5').update(String(body.MessageBody)).digest('hex');
    return { status: 200, body: JSON.stringify({ MessageId: 'message', MD5OfMessageBody }) };
  });
  proxies = [store, queue];
  Object.assign(process.env, {
    TABLE_NAME: table.tableName,
    ISSUER: 'https://api.example.com',
    AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
    AWS_ENDPOINT_URL_SQS: queue.endpoint,
    WEBHOOK_QUEUE_URL: `${queue.endpoint}/webhooks.fifo`,
    EVENT_FAILURE_QUEUE_URL: `${queue.endpoint}/failures`,
    EVENT_EPOCH: 'restored',
    AWS_REGION: localRegion,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  });
});
afterAll(() => Promise.all(proxies.map(({ stop }) => stop())));

let records: DynamoDBRecord[];
beforeEach(async () => {
  [away, isQueueAway, sent] = [undefined, false, []];
  for (const output of [process.stdout, process.stderr]) vi.spyOn(output, 'write').mockReturnValue(true);
  await openStream();
  for (const name of ['a', 'b', 'c']) await post({ unique_id: name, name_first: 'Zebedee' });
  const all = stream.take() as DynamoDBRecord[];
  records = all
    .filter(({ dynamodb }) => dynamodb?.Keys?.sk?.S === 'CONTACT')
    .map((record) => ({ ...record, eventSourceARN: 'arn:stream' }));
});
afterEach(() => vi.restoreAllMocks());

async function publish(some: readonly DynamoDBRecord[]) {
  const { handler } = await import('../../../functions/events/publish.ts');
  return handler({ Records: [...some] } as DynamoDBStreamEvent);
}
const sequenceOf = ({ dynamodb }: DynamoDBRecord) => dynamodb!.SequenceNumber!;
const told = async (teamId = team) => (await readAll(database, undefined, 100, teamId)).events;
const done = { batchItemFailures: [] };

test('an outage is reported from the first record that is not published, and costs no event', async () => {
  const other = crypto.randomUUID();
  const ofOther: DynamoDBRecord = JSON.parse(JSON.stringify(records[0]).replaceAll(team, other));
  ofOther.dynamodb!.SequenceNumber = '1';
  away = team;
  const failed = { batchItemFailures: [{ itemIdentifier: sequenceOf(records[0]!) }] };
  expect(await publish([ofOther, ...records])).toEqual(failed);
  away = undefined;
  expect([await told(), (await told(other)).length]).toEqual([[], 1]);
  expect(await publish(records)).toEqual(done);
  expect((await told()).map(({ contact_id }) => contact_id)).toEqual(['a', 'b', 'c'].map(idOf));
  expect(sent).toEqual([]);
  // The ids of events differ after a restore of the table.
  await publishRecords(records);
  const others = (await readAll(stream, undefined, 100, team)).events.map(({ id }) => id);
  expect([others.length, (await told()).filter(({ id }) => others.includes(id))]).toEqual([3, []]);
});

describe('a record with a defect', () => {
  beforeEach(() => void Object.assign(records[1]!.dynamodb!.NewImage!, { version: { S: 'Zebedee' } }));

  test('beside others fails the batch, so that Lambda separates it', async () => {
    await expect(publish(records)).rejects.toMatchObject({ name: 'DefectiveRecords' });
    expect([await told(), sent]).toEqual([[], []]);
  });

  test('alone succeeds, and the queue of failures says which one it is, without data of the person', async () => {
    for (const record of records) expect(await publish([record])).toEqual(done);
    expect((await told()).map(({ contact_id }) => contact_id)).toEqual(['a', 'c'].map(idOf));
    const sequence = sequenceOf(records[1]!);
    expect(sent).toMatchObject([{ QueueUrl: expect.stringMatching(/failures$/) }]);
    expect(JSON.parse(sent[0]!.MessageBody).DDBStreamBatchInfo).toMatchObject({
      ...{ streamArn: 'arn:stream', startSequenceNumber: sequence, endSequenceNumber: sequence, batchSize: 1 },
    });
    expect(sent[0]!.MessageBody).not.toContain('Zebedee');
  });

  test('alone fails as long as the queue of failures is away', async () => {
    isQueueAway = true;
    await expect(publish([records[1]!])).rejects.toThrow();
  });
});

test('webhooks that cannot be woken neither fail nor repeat the batch: the schedule wakes them', async () => {
  const target = { team_id: team, url: 'https://receiver.example.com/', types: null };
  await createWebhook({ ...serviceOn(database), wake: async () => {} }, target, undefined);
  isQueueAway = true;
  expect(await publish(records)).toEqual(done);
  isQueueAway = false;
  away = webhookPartition(team);
  expect(await publish(records)).toEqual(done);
  away = undefined;
  expect(await told()).toHaveLength(6);
});
