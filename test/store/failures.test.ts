import { afterAll, describe, expect, test, vi } from 'vitest';
import { BucketClient } from '../../lib/store/bucket-client.ts';
import { StoreUnavailable } from '../../lib/store/database.ts';
import { SqsDropQueue } from '../../lib/store/drop-queue.ts';
import { S3ObjectStore } from '../../lib/store/objects.ts';
import { privateKeysAt } from '../../lib/store/private-keys.ts';
import { SqsImportQueue } from '../../lib/store/queue.ts';
import { QueueClient } from '../../lib/store/queue-client.ts';
import { SecretsClient } from '../../lib/store/secrets-client.ts';
import { type AwsFailure, failingAws } from '../support/aws-failure.ts';
import { localCredentials, localRegion } from '../support/engine.ts';

// The retries do not wait.
vi.spyOn(Math, 'random').mockReturnValue(0);

const json = await failingAws('json');
const xml = await failingAws('xml');
afterAll(() => {
  json.stop();
  xml.stop();
});

const access = { region: localRegion, credentials: localCredentials };
const sqs = new QueueClient(`${json.endpoint}/queue`, access);
const secrets = new SecretsClient({ ...access, endpoint: json.endpoint });

const queue = new SqsImportQueue(`${json.endpoint}/queue`, sqs);
const dropQueue = new SqsDropQueue(`${json.endpoint}/queue`, sqs);
const keys = privateKeysAt('arn:aws:secretsmanager:us-east-1:000000000000:secret:SigningKeys-abc', () => secrets);
const objects = new S3ObjectStore(new BucketClient('bucket', { ...access, endpoint: xml.endpoint }));
const file = { key: 'a', version: 'v' };
const jwk = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' } as const;

type Call = [what: string, run: () => Promise<unknown>];
const queueCalls: Call[] = [
  ['a wake', () => queue.wake('team')],
  ['postponing a wake', () => queue.postpone('receipt', 1)],
  ['a message about a dropped file', () => dropQueue.send(file)],
  ['a fresh message about a dropped file', () => dropQueue.sendSeparately(file, 'm')],
];
const secretCalls: Call[] = [
  ['reading the signing keys', () => keys.read()],
  ['storing a signing key', () => keys.keep({ kid: 'k', jwk, usable_from: 0 }, 'rotation')],
  ['making a signing key the current one', () => keys.promote('rotation')],
];
const objectCalls: Call[] = [
  ['reading an object', () => objects.read('a', 'v', 0)],
  ['writing an object', () => objects.write('a', 'text')],
  ['joining objects', () => objects.join('a', 'head', ['b'], 100)],
];

const named = (...names: string[]): AwsFailure[] => names.map((name) => ({ name }));
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
    ['away', { name: 'InternalServiceError', status: 500 }, { name: 'ThrottlingException' }],
    [
      denied,
      { name: 'DecryptionFailure' },
      { name: 'InvalidRequestException' },
      { name: 'ResourceNotFoundException', message: "Secrets Manager can't find the specified secret." },
    ],
  ],
  [
    xml,
    objectCalls,
    [
      'away',
      { name: 'SlowDown', status: 503 },
      { name: 'InternalError', status: 500 },
      ...named('RequestTimeout', 'ExpiredToken'),
    ],
    [
      { name: 'NoSuchBucket', status: 404 },
      { name: 'KMS.DisabledException', status: 400 },
    ],
  ],
];

const nameOf = (failure: AwsFailure) => (failure === 'away' ? failure : failure.name.replace(/.*#/, ''));
const cases = (pick: 'passing' | 'lasting') =>
  table.flatMap(([aws, calls, passing, lasting]) =>
    calls.flatMap(([what, run]) =>
      (pick === 'passing' ? passing : lasting).map((failure) => ({ what, name: nameOf(failure), aws, run, failure })),
    ),
  );

describe('a request to AWS', () => {
  test.each(cases('passing'))('$what is unavailable for what passes: $name', async ({ aws, run, failure }) => {
    aws.failure = failure;
    const error = await run().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect((error as Error).cause).toBeInstanceOf(Error);
  });

  test.each(cases('lasting'))('$what fails as it is for what somebody has to fix: $name', async (each) => {
    each.aws.failure = each.failure;
    const error = (await each.run().catch((thrown: unknown) => thrown)) as Error;
    expect(error).not.toBeInstanceOf(StoreUnavailable);
    expect(error.name.replace(/Exception$/, '')).toBe(each.name.replace(/Exception$/, ''));
  });
});

test('a wake that the queue does not respond to is unavailable within about a second', async () => {
  const hanging = new QueueClient(json.endpoint, {
    ...access,
    requestHandler: { handle: (_: unknown, { abortSignal }: { abortSignal: AbortSignal }) => whenAborted(abortSignal) },
  } as never);
  const slow = new SqsImportQueue(`${json.endpoint}/queue`, hanging);
  await expect(slow.wake('team')).rejects.toBeInstanceOf(StoreUnavailable);
});

const whenAborted = (signal: AbortSignal) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(Object.assign(new Error('aborted'), { name: 'AbortError' })));
  });
