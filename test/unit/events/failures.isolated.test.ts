import { createHash } from 'node:crypto';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { privateKeysAt } from '../../../lib/store/access/private-keys.ts';
import { bucketClient, busClient, queueClient, secretsClient } from '../../../lib/store/aws/aws-clients.ts';
import { ObjectUnreadable, S3ObjectStore } from '../../../lib/store/aws/objects.ts';
import { S3ImageStore } from '../../../lib/store/campaigns/images.ts';
import { SqsDropQueue } from '../../../lib/store/drop-box/drop-queue.ts';
import { EventBus } from '../../../lib/store/events/event-bus.ts';
import { StoreUnavailable } from '../../../lib/store/table/database.ts';
import { SqsWakeQueue } from '../../../lib/store/waiting-work/wake-queue.ts';
import { type AwsFailure, failingAws } from '../../support/aws/aws-failure.ts';
import { faultProxy, lateClock } from '../../support/aws/fault-proxy.ts';
import { localCredentials, localRegion } from '../../support/engine/engine.ts';
import { numbered } from '../../support/samples/events.ts';

// The retries do not wait.
vi.spyOn(Math, 'random').mockReturnValue(0);

const json = await failingAws('json');
const xml = await failingAws('xml');
afterAll(() => {
  json.stop();
  xml.stop();
});

const access = { region: localRegion, credentials: localCredentials };
const sqs = queueClient({ ...access, endpoint: json.endpoint });
const secrets = secretsClient({ ...access, endpoint: json.endpoint });

const queue = new SqsWakeQueue(`${json.endpoint}/queue`, sqs);
const dropQueue = new SqsDropQueue(`${json.endpoint}/queue`, sqs);
const lane = { work: 'imports', team_id: 'team' } as const;
const bus = () => new EventBus('arn:bus', busClient({ ...access, endpoint: json.endpoint }));
const keys = privateKeysAt('arn:aws:secretsmanager:us-east-1:000000000000:secret:SigningKeys-abc', () => secrets);
const objects = new S3ObjectStore('bucket', bucketClient({ ...access, endpoint: xml.endpoint }));
const images = new S3ImageStore('bucket', bucketClient({ ...access, endpoint: xml.endpoint }));
const file = { key: 'a', version: 'v' };
const jwk = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' } as const;

type Call = [what: string, run: () => Promise<unknown>];
const queueCalls: Call[] = [
  ['a wake', () => queue.wake(lane)],
  ['postponing a wake', () => queue.postpone('receipt', 1)],
  ['a message about a dropped file', () => dropQueue.send(file)],
  ['a fresh message about a dropped file', () => dropQueue.sendSeparately(file, 'm')],
];
// A bus for each call, because its quota of retries would be used up.
const busCalls: Call[] = [['putting events on the bus', () => bus().put(numbered(1, 11))]];
const secretCalls: Call[] = [
  ['reading the signing keys', () => keys.read()],
  ['storing a signing key', () => keys.keep({ kid: 'k', jwk, usable_from: 0 }, 'rotation')],
  ['making a signing key the current one', () => keys.promote('rotation')],
];
const objectCalls: Call[] = [
  ['reading an object', () => objects.read('a', 'v', 0)],
  ['writing an object', () => objects.write('a', 'text')],
  ['joining objects', () => objects.join('a', 'head', ['b'], 100)],
  ['reading an image', () => images.read('a')],
  ['writing an image', () => images.write('a', Buffer.from('a'), 'image/png')],
  ['deleting an image', () => images.remove('a')],
];

const named = (...names: string[]): AwsFailure[] => names.map((name) => ({ name }));
/** Responses of every form, for services that speak JSON. A response of 200 that is not whole is one of them. */
const responses: Record<string, AwsFailure> = {
  'a 429 without a type': { status: 429, body: '{}' },
  'an error that only a header names': {
    status: 400,
    body: '{}',
    headers: { 'x-amzn-errortype': 'ThrottlingException' },
  },
  'an error that is null': { status: 400, body: 'null' },
  'an internal error that is null': { status: 500, body: 'null' },
  'a page of a proxy': { status: 502, body: '<html>' },
  'a page of a proxy instead of the response': { status: 200, body: '<html>' },
  'a response that ends early': { status: 200, body: '{"Mess' },
  'a response that lacks bytes': {
    status: 200,
    body: '{"a":1}',
    headers: { 'content-length': '100', connection: 'close' },
  },
  'a clock that is wrong': {
    status: 403,
    body: '{"__type":"InvalidSignatureException"}',
    headers: lateClock(),
  },
};
const forms = Object.values(responses);
const wrongChecksum = { status: 200, body: '{"MD5OfMessageBody":"0"}' };
const objectForms: AwsFailure[] = [
  { status: 429, body: '' },
  { status: 503, body: '<Error>' },
  { status: 502, body: '<html>' },
  { name: 'RequestTimeTooSkewed', status: 403 },
];
const denied: AwsFailure = { name: 'AccessDeniedException' };
const table: [aws: { failure: AwsFailure }, calls: Call[], passing: AwsFailure[], lasting: AwsFailure[]][] = [
  [
    json,
    queueCalls,
    [
      'away',
      { name: 'ServiceUnavailable', status: 503 },
      { name: 'InternalError', status: 500 },
      ...named('ThrottlingException', 'ExpiredTokenException'),
      ...named('com.amazonaws.sqs#RequestThrottled', 'com.amazonaws.sqs#KmsThrottled'),
      ...named('TooManyRequestsException', 'ThrottledException'),
      ...forms,
    ],
    [
      denied,
      ...named('com.amazonaws.sqs#QueueDoesNotExist', 'com.amazonaws.sqs#KmsAccessDenied'),
      ...named('com.amazonaws.sqs#KmsDisabled'),
    ],
  ],
  [
    json,
    secretCalls,
    [
      'away',
      { name: 'InternalServiceError', status: 500 },
      ...named('ThrottlingException', 'TooManyRequestsException', 'ThrottledException'),
      ...forms,
    ],
    [
      denied,
      { name: 'DecryptionFailure' },
      { name: 'InvalidRequestException' },
      { name: 'ResourceNotFoundException', message: "Secrets Manager can't find the specified secret." },
    ],
  ],
  [
    json,
    busCalls,
    [
      'away',
      { name: 'InternalException', status: 500 },
      ...named('ThrottlingException', 'LimitExceededException', 'ExpiredTokenException'),
      ...forms,
    ],
    [denied, ...named('ResourceNotFoundException', 'ValidationException')],
  ],
  [
    xml,
    objectCalls,
    [
      'away',
      { name: 'SlowDown', status: 503 },
      { name: 'InternalError', status: 500 },
      ...named('RequestTimeout', 'ExpiredToken'),
      { name: 'SlowDown', status: 429 },
      ...objectForms,
    ],
    [
      { name: 'NoSuchBucket', status: 404 },
      { name: 'KMS.DisabledException', status: 400 },
    ],
  ],
];

const nameOf = (failure: AwsFailure) => {
  if (failure === 'away') return failure;
  if ('name' in failure) return failure.name.replace(/.*#/, '');
  return Object.keys(responses).find((form) => responses[form] === failure) ?? `${failure.status} ${failure.body}`;
};
const cases = (pick: 'passing' | 'lasting') =>
  table.flatMap(([aws, calls, passing, lasting]) =>
    (pick === 'passing' ? passing : lasting).map((failure) => ({
      ...{ what: calls.map(([what]) => what).join(', '), name: nameOf(failure), aws, failure },
      /** The errors of all calls, at once because some wait for their limits of time. */
      errors: () =>
        Promise.all(
          calls.map(async ([what, run]) => [what, await run().catch((thrown: unknown) => thrown as Error)] as const),
        ),
    })),
  );

describe('a request to AWS', () => {
  test.each(cases('passing'))('is unavailable for what passes: $name ($what)', async ({ aws, errors, failure }) => {
    aws.failure = failure;
    for (const [what, error] of await errors()) {
      expect(error, what).toBeInstanceOf(StoreUnavailable);
      expect((error as Error).cause, what).toBeInstanceOf(Error);
    }
  });

  test.each(cases('lasting'))('fails as it is for what somebody has to fix: $name ($what)', async (each) => {
    // A busy machine can stall for longer than a wake may take.
    const limits = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
    onTestFinished(() => limits.mockRestore());
    each.aws.failure = each.failure;
    for (const [what, error] of await each.errors()) {
      expect(error, what).not.toBeInstanceOf(StoreUnavailable);
      // Of a key that cannot be used, the sender of the file is told.
      const cause = error instanceof ObjectUnreadable ? error.cause : error;
      expect((cause as Error).name.replace(/Exception$/, ''), what).toBe(each.name.replace(/Exception$/, ''));
    }
  });
});

test('a message whose checksum is wrong, and an object whose bytes are others, can be sent and read again', async () => {
  json.failure = wrongChecksum;
  await expect(queue.wake(lane)).rejects.toBeInstanceOf(StoreUnavailable);
  await expect(dropQueue.send(file)).rejects.toBeInstanceOf(StoreUnavailable);
  xml.failure = { status: 200, body: 'other bytes', headers: { 'x-amz-checksum-crc32': 'AAAAAA==' } };
  await expect(images.read('a')).rejects.toBeInstanceOf(StoreUnavailable);
});

test('a wake of a command may take longer than one that a request waits for', async () => {
  const slow = await faultProxy(json.endpoint, ({ body }) => {
    const MD5OfMessageBody = createHash('md5').update(body.MessageBody).digest('hex');
    return { delay: 1500, status: 200, body: JSON.stringify({ MD5OfMessageBody }) };
  });
  onTestFinished(() => slow.stop());
  const client = queueClient({ ...access, endpoint: slow.endpoint });
  const url = `${slow.endpoint}/queue`;
  await expect(new SqsWakeQueue(url, client).wake(lane)).rejects.toBeInstanceOf(StoreUnavailable);
  await new SqsWakeQueue(url, client, 10_000).wake(lane);
});
