import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyStructuredResultV2, Context, SQSEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { createTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { hashSecret, newSecret } from '../../../lib/auth/secrets.ts';
import { newClient } from '../../../lib/domain/access/client.ts';
import { createWebhook } from '../../../lib/operations/events/webhooks.ts';
import { insertClient } from '../../../lib/store/access/clients.ts';
import { publishKey } from '../../../lib/store/access/signing-keys.ts';
import { saveErasureRequest } from '../../../lib/store/erasure/erasure-requests.ts';
import { derivedFileId } from '../../../lib/store/table/ids.ts';
import { heartbeatKey, uniqueIdDigest } from '../../../lib/store/table/keys.ts';
import { type AwsFailure, failingAws } from '../../support/aws/aws-failure.ts';
import { type Fault, faultProxy, type ProxiedRequest, storeError } from '../../support/aws/fault-proxy.ts';
import { FakeSecret, serveSecret } from '../../support/aws/secrets-manager.ts';
import { freshTable, localCredentials, localRegion } from '../../support/engine/engine.ts';
import { type LogLine, logLines } from '../../support/http/log-lines.ts';
import { pair, published, seconds, tokenOf } from '../../support/http/verifier.ts';
import { postBatch } from '../../support/operations/import-operations.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { record } from '../../support/samples/contacts.ts';

/** The functions as Lambda calls them; table, queue, bucket and secret fail as a test says. */
const text = 'a-value-of-somebody';
const arn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:SigningKeys-abc';
const clientId = crypto.randomUUID();
const clientSecret = newSecret();
const folder = mkdtempSync(join(tmpdir(), 'failure-log-'));
const keys = new FakeSecret();
const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
let tableFault: (request: ProxiedRequest) => Fault | undefined = () => undefined;
let aws: Awaited<ReturnType<typeof failingAws>>;
let bucket: typeof aws;
let database: Awaited<ReturnType<typeof freshTable>>['database'];
let teamId: string;

beforeAll(async () => {
  const store = await faultProxy(inject('dynamodbEndpoint'), (request) => tableFault(request));
  aws = await failingAws('json');
  bucket = await failingAws('xml');
  const secret = await serveSecret(keys);
  const table = await freshTable();
  database = table.database;
  stops.push(store.stop, aws.stop, bucket.stop, secret.stop);
  Object.assign(process.env, {
    TABLE_NAME: table.tableName,
    ISSUER: 'https://api.example.com',
    SIGNING_KEYS: arn,
    AWS_ENDPOINT_URL_SQS: aws.endpoint,
    QUEUE_URL: `${aws.endpoint}/imports`,
    DROP_QUEUE_URL: `${aws.endpoint}/drops`,
    WEBHOOK_QUEUE_URL: `${aws.endpoint}/webhooks`,
    TARGETING_QUEUE_URL: `${aws.endpoint}/targeting`,
    DROP_BUCKET: 'drop-box',
    IMAGE_BUCKET: 'images',
    AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
    AWS_ENDPOINT_URL_S3: bucket.endpoint,
    AWS_REGION: localRegion,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  });
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

let written = '';
beforeEach(async () => {
  tableFault = () => undefined;
  aws.failure = { name: 'AccessDenied' };
  bucket.failure = { name: 'NoSuchBucket', status: 404 };
  Object.assign(keys, { away: false, refusal: undefined, isDeleted: false });
  const dependencies = serviceOn(database);
  teamId = (await createTeam(dependencies, { name: text, features: [] })).team_id;
  written = '';
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      written += chunk;
      return true;
    });
  }
});
afterEach(() => vi.restoreAllMocks());

/** The log, which may not contain any value. */
function lines(): LogLine[] {
  expect(written).not.toContain(text);
  expect(written).not.toContain(clientSecret);
  return logLines(written);
}

const clock = { getRemainingTimeInMillis: () => 90_000 } as Context;
const messageOf = (body: string) =>
  ({
    Records: [{ messageId: 'message-1', receiptHandle: 'receipt', body, attributes: { ApproximateReceiveCount: '1' } }],
  }) as unknown as SQSEvent;
const retried = { batchItemFailures: [{ itemIdentifier: 'message-1' }] };

// Before the chunks of other tests, which a sweep reports too once they are open for ten seconds.
test('a sweep of a team whose import state cannot be read says why, checks the expected files, and fails', async () => {
  const isOfTeam = ({ body }: ProxiedRequest) => JSON.stringify(body).includes(`"T#${teamId}#Q"`);
  tableFault = (request) => (isOfTeam(request) ? storeError('AccessDeniedException') : undefined);
  const { handler } = await import('../../../functions/waiting-work/sweeper.ts');
  await expect(handler({}, { getRemainingTimeInMillis: () => 0 })).rejects.toThrow(/^teams could not be swept$/);
  expect(lines()).toMatchObject([
    { level: 'ERROR', message: 'a team could not be swept', team_id: teamId, error: 'AccessDeniedException' },
    { level: 'INFO', message: 'a sweep ended', files_missing: 0 },
  ]);
  // The stream of the table has a change all the same.
  expect(await database.get([heartbeatKey])).toMatchObject([{ beats: 1 }]);
});

describe('an attempt of the import worker that breaks off', () => {
  const chunk = () => {
    const records = [{ account_number: text, contact: { unique_id: text }, product: { code: 'C', type: 'loan' } }];
    return postBatch(serviceOn(database), teamId, { batch_id: text, chunk_index: 0, records });
  };
  const isRead = ({ operation, body }: ProxiedRequest) =>
    operation === 'BatchGetItem' && JSON.stringify(body).includes('ACCOUNT');

  test.each<[what: string, fault: Fault, line: object]>([
    [
      'the table is away',
      { lost: 'before' },
      {
        error: 'Problem',
        code: 'unavailable',
        reason: /the get on the table failed/,
        cause: { code: 'ECONNRESET' },
      },
    ],
    ['the table denies it', storeError('AccessDeniedException'), { error: 'AccessDeniedException' }],
  ])('says why, with team and chunk: %s', async (_, fault, line) => {
    await chunk();
    tableFault = (request) => (isRead(request) ? fault : undefined);
    const { handler } = await import('../../../functions/imports/worker.ts');
    expect(await handler(messageOf(JSON.stringify({ work: 'imports', team_id: teamId })), clock)).toEqual(retried);
    const [attempt, postponing, ...others] = lines();
    const reason = 'reason' in line ? { reason: expect.stringMatching(line.reason as RegExp) } : {};
    const ids = { team_id: teamId, order: 1, chunks: 0 };
    expect(attempt).toMatchObject({ message: 'an attempt at a chunk failed', ...ids, ...line, ...reason });
    expect(postponing).toMatchObject({
      message: 'a message could not be postponed',
      team_id: teamId,
      error: 'AccessDenied',
    });
    expect(others).toEqual([]);
  });

  test('names no chunk where none was begun', async () => {
    await chunk();
    tableFault = ({ operation }) => (operation === 'Query' ? storeError('AccessDeniedException') : undefined);
    const { handler } = await import('../../../functions/imports/worker.ts');
    expect(await handler(messageOf(JSON.stringify({ work: 'imports', team_id: teamId })), clock)).toEqual(retried);
    expect(lines()[0]).toMatchObject({ team_id: teamId, error: 'AccessDeniedException' });
    expect(Object.keys(lines()[0]!)).not.toContain('order');
  });
});

test('a sweep that breaks off says why, and fails without the message', async () => {
  tableFault = ({ body }) =>
    JSON.stringify(body).includes('"TEAMS"') ? storeError('AccessDeniedException') : undefined;
  const { handler } = await import('../../../functions/waiting-work/sweeper.ts');
  await expect(handler({}, { getRemainingTimeInMillis: () => 0 })).rejects.toThrow(
    /^a sweep failed: AccessDeniedException$/,
  );
  expect(lines()).toMatchObject([{ level: 'ERROR', message: 'a sweep failed', error: 'AccessDeniedException' }]);
});

test('a run of the erasures fails if one of them fails or has waited for a day, and says which', async () => {
  bucket.failure = { name: 'AccessDenied' };
  const contact_id = crypto.randomUUID();
  const [inserted_at, requested_at] = ['2026-01-01T00:00:00.000000Z', '2026-01-02T00:00:00.000000Z'];
  const noOne = { team_id: teamId, contact_id, inserted_at, digest: 'none', client_id: clientId, act_id: contact_id };
  await saveErasureRequest(database, { ...noOne, requested_at }, 0);
  const { handler } = await import('../../../functions/contacts/erase-requested.ts');
  const run = () => handler({}, { getRemainingTimeInMillis: () => 900_000 });
  await expect(run()).rejects.toThrow(/^erasures failed or are late$/);
  expect(lines()).toMatchObject([{ level: 'INFO', message: 'erasures were worked', erased: 1, failed: 0, late: 1 }]);

  const { contact } = await upsertContact(serviceOn(database), teamId, record({ unique_id: text }));
  const { id, inserted_at: since } = contact;
  const digest = uniqueIdDigest(teamId, text);
  const now = new Date().toISOString().replace('Z', '000Z');
  await saveErasureRequest(database, { ...noOne, contact_id: id, inserted_at: since, digest, requested_at: now }, 0);
  written = '';
  await expect(run()).rejects.toThrow(/^erasures failed or are late$/);
  expect(lines()).toMatchObject([
    { level: 'ERROR', message: 'an erasure failed', team_id: teamId, contact_id: id, error: 'AccessDenied' },
    { level: 'INFO', message: 'erasures were worked', failed: 1, late: 0 },
  ]);
  // Too little time is left to begin one, so nothing fails.
  expect(await handler({}, { getRemainingTimeInMillis: () => 299_000 })).toMatchObject({ erased: 0, failed: 0 });
});

describe('a file of the drop box', () => {
  const version = 'v1';
  const key = () => `${teamId}/contacts/${text}.csv`;
  const ids = () => ({ team_id: teamId, file_id: derivedFileId(key(), version) });

  test.each<[AwsFailure, object]>([
    [
      'away',
      { code: 'unavailable', reason: 'a dropped file could not be sent to the queue', cause: { code: 'ECONNRESET' } },
    ],
    [{ name: 'com.amazonaws.sqs#QueueDoesNotExist' }, { error: 'QueueDoesNotExist' }],
  ])('whose notice could not be handed on (%j) is named by its ids', async (failure, line) => {
    aws.failure = failure;
    const object = { key: key(), versionId: version, size: 1, sequencer: '0A' };
    const Records = [{ eventName: 'ObjectCreated:Put', s3: { bucket: { name: 'drop-box' }, object } }];
    const { handler } = await import('../../../functions/drop-box/notice.ts');
    expect(await handler(messageOf(JSON.stringify({ Records })))).toEqual(retried);
    expect(lines()).toMatchObject([{ level: 'ERROR', messageId: 'message-1', ...ids(), ...line }]);
  });

  test('whose queue denies a request is named by its ids', async () => {
    const { handler } = await import('../../../functions/drop-box/reader.ts');
    expect(await handler(messageOf(JSON.stringify({ key: key(), version })), clock)).toEqual(retried);
    const message = 'an attempt at a dropped file failed';
    expect(lines()).toMatchObject([{ message, received: 1, ...ids(), error: 'AccessDenied' }]);
  });
});

describe('a token that could not be issued', () => {
  const team = crypto.randomUUID();
  beforeAll(() => insertClient(database, newClient(clientId, team, hashSecret(clientSecret), 0)));

  const token = async () => {
    const { handler } = await import('../../../functions/oauth2/create-token.ts');
    return handler({
      rawQueryString: '',
      headers: { 'content-type': 'application/json' },
      requestContext: { requestId: 'request-1', http: { method: 'POST' } },
      body: JSON.stringify({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
      isBase64Encoded: false,
    } as never);
  };

  test.each<[what: string, set: () => void, status: number, line: object]>([
    [
      'the secret is away',
      () => Object.assign(keys, { away: true }),
      503,
      {
        code: 'unavailable',
        reason: 'the signing keys could not be read',
        cause: { error: 'InternalServiceError' },
      },
    ],
    [
      'reading it is denied',
      () => Object.assign(keys, { refusal: 'AccessDeniedException' }),
      500,
      { code: 'internal_error', cause: { error: 'AccessDeniedException' } },
    ],
    [
      'the secret is not there',
      () => Object.assign(keys, { isDeleted: true }),
      500,
      { code: 'internal_error', cause: { error: 'ResourceNotFoundException' } },
    ],
    ['no key was made yet', () => {}, 503, { code: 'unavailable', reason: 'no signing key exists yet' }],
    [
      'the keys cannot be read',
      () => {
        const file = join(folder, 'keys.json');
        writeFileSync(file, `[{"rotation_id":"x","key":"${text}"}]`);
        process.env.SIGNING_KEYS = pathToFileURL(file).href;
      },
      500,
      { code: 'internal_error', cause: { error: 'ZodError' } },
    ],
  ])('says why: %s', async (_, set, status, line) => {
    set();
    if (process.env.SIGNING_KEYS !== arn) vi.resetModules();
    const { statusCode, headers, body = '' } = (await token()) as APIGatewayProxyStructuredResultV2;
    const again = status === 503 ? '2' : undefined;
    expect([statusCode, headers?.['cache-control'], headers?.['retry-after']]).toEqual([status, 'no-store', again]);
    expect(headers?.['x-request-id']).toBe('request-1');
    expect(JSON.parse(body)).toEqual({
      error: status === 503 ? 'unavailable' : 'internal_error',
      message: expect.any(String),
      request_id: 'request-1',
    });
    expect(body).not.toContain(text);
    process.env.SIGNING_KEYS = arn;
    const ids = { route: 'create-token', requestId: 'request-1', client_id: clientId, team_id: team };
    expect(lines()).toMatchObject([
      { message: 'request failed', ...ids, ...line },
      { message: 'request', ...ids, status },
    ]);
  });
});

test('a test of a webhook that was not sent in time is a 503, and says nothing about the receiver', async () => {
  await publishKey(database, published(pair));
  const caller = crypto.randomUUID();
  await insertClient(database, newClient(caller, teamId, hashSecret(clientSecret), 0));
  const iat = seconds(Date.now());
  const token = await tokenOf({ sub: caller, client_id: caller, team_id: teamId, iat, exp: iat + 3600 });
  const wakes = { ...serviceOn(database), wake: async () => {} };
  const target = { team_id: teamId, url: 'https://receiver.example.com/', types: null };
  const { webhook_id } = (await createWebhook(wakes, target, undefined)).webhook;
  const MD5OfMessageBody = createHash('md5')
    .update(JSON.stringify({ work: 'webhooks', team_id: teamId, id: webhook_id }))
    .digest('hex');
  aws.failure = { status: 200, body: JSON.stringify({ MessageId: 'wake', MD5OfMessageBody }) };
  // The queue takes the wake, and nobody receives it. Each look at the clock is five seconds later.
  const now = Date.now;
  let ahead = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => {
    ahead += 5000;
    return now() + ahead;
  });
  const { handler } = await import('../../../functions/webhooks/write.ts');
  const { statusCode, body = '' } = (await handler({
    routeKey: 'POST /v1/webhooks/{id}/test',
    pathParameters: { id: webhook_id },
    headers: { authorization: `Bearer ${token}` },
    requestContext: { requestId: 'request-1', http: { method: 'POST', path: `/v1/webhooks/${webhook_id}/test` } },
  } as never)) as APIGatewayProxyStructuredResultV2;
  expect([statusCode, JSON.parse(body)]).toMatchObject([503, { error: 'unavailable', request_id: 'request-1' }]);
  expect(lines()).toMatchObject([
    { message: 'request failed', reason: 'the test was not sent in time' },
    { message: 'request', status: 503 },
  ]);
});

test('a rotation that breaks off says why, at which step, and fails without the message', async () => {
  keys.refusal = 'AccessDeniedException';
  const { handler } = await import('../../../functions/oauth2/rotate-signing-key.ts');
  const event = { SecretId: arn, ClientRequestToken: 'rotation-1', Step: 'createSecret' } as const;
  await expect(handler(event)).rejects.toThrow(/^a rotation of the signing key failed: AccessDeniedException$/);
  const ids = { step: 'createSecret', rotation_id: 'rotation-1' };
  expect(lines()).toMatchObject([{ level: 'ERROR', ...ids, error: 'AccessDeniedException' }]);
});
