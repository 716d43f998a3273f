import { GetObjectCommand } from '@aws-sdk/client-s3';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isTransient } from '../../../lib/store/table/errors.ts';

const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
const all = 'http://127.0.0.1:1';

/** The modules of the runtime with these environment variables. */
async function withVariables(variables: Record<string, string | undefined>) {
  for (const [name, value] of Object.entries({ ...keys, AWS_REGION: 'eu-central-1', ...variables })) {
    vi.stubEnv(name, value);
  }
  const { credentials, ...clients } = await import('../../../lib/runtime/aws.ts');
  const { tableClient } = await import('../../../lib/store/aws/table-client.ts');
  return { credentials, ...clients, tables: () => tableClient({ credentials }) };
}

beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

type Sent = { protocol: string; hostname: string; headers: Record<string, string> };

/** The request that the client would send. */
// biome-ignore lint/suspicious/noExplicitAny: each client has its own types of commands
async function requestOf(client: any, command: object): Promise<Sent> {
  let sent: Sent | undefined;
  const note = () => async (args: { request: Sent }) => {
    sent = args.request;
    throw new Error('noted');
  };
  client.middlewareStack.add(note, { step: 'finalizeRequest', priority: 'low' });
  await expect(client.send(command)).rejects.toThrow('noted');
  return sent!;
}

const queueUrl = 'https://sqs.eu-central-1.amazonaws.com/1/imports.fifo';
const requests = async (variables: Record<string, string | undefined>) => {
  const { tables, buckets, secrets, queues } = await withVariables(variables);
  return {
    table: await requestOf(tables(), new ScanCommand({ TableName: 'table' })),
    bucket: await requestOf(buckets(), new GetObjectCommand({ Bucket: 'files', Key: 'a' })),
    secret: await requestOf(secrets(), new GetSecretValueCommand({ SecretId: 'a' })),
    queue: await requestOf(queues(), new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: 'a' })),
  };
};

describe('a request of a function', () => {
  test.each([
    [{}, 'eu-central-1.amazonaws.com', ''],
    [{ AWS_REGION: 'cn-north-1' }, 'cn-north-1.amazonaws.com.cn', ''],
    [{ AWS_REGION: 'eusc-de-east-1' }, 'eusc-de-east-1.amazonaws.eu', ''],
    [{ AWS_REGION: 'us-east-2', AWS_USE_FIPS_ENDPOINT: 'true' }, 'us-east-2.amazonaws.com', '-fips'],
    [{ AWS_REGION: 'us-gov-west-1', AWS_USE_FIPS_ENDPOINT: 'true' }, 'us-gov-west-1.amazonaws.com', '-fips'],
  ])('with %j goes to the hosts of its partition', async (variables, domain, fips) => {
    const { table, bucket, secret, queue } = await requests(variables);
    expect([bucket.hostname, secret.hostname]).toEqual([
      `files.s3${fips}.${domain}`,
      `secretsmanager${fips}.${domain}`,
    ]);
    // In GovCloud, the usual hosts of these two are FIPS.
    const usual = domain.startsWith('us-gov') ? '' : fips;
    expect([table.hostname, queue.hostname]).toEqual([`dynamodb${usual}.${domain}`, `sqs${usual}.${domain}`]);
  });

  test('goes to dual-stack hosts where the environment says so', async () => {
    const { table, bucket } = await requests({ AWS_USE_DUALSTACK_ENDPOINT: 'true' });
    expect([table.hostname, bucket.hostname]).toEqual([
      'dynamodb.eu-central-1.api.aws',
      'files.s3.dualstack.eu-central-1.amazonaws.com',
    ]);
  });

  test('goes to the endpoints that the local service and emulators set', async () => {
    const { table, bucket, secret, queue } = await requests({ AWS_ENDPOINT_URL: all, AWS_ENDPOINT_URL_S3: `${all}1` });
    const shown = [table, bucket, secret].map(({ protocol, hostname }) => `${protocol}//${hostname}`);
    expect(shown).toEqual(['http://127.0.0.1', 'http://127.0.0.1', 'http://127.0.0.1']);
    expect(bucket).toMatchObject({ port: 11, path: '/files/a' });
    expect(queue.hostname).toBe('127.0.0.1');
  });

  test('has the trace of its invocation, which AWS shows with the calls, and by which it finds loops', async () => {
    const trace = { AWS_LAMBDA_FUNCTION_NAME: 'worker', _X_AMZN_TRACE_ID: 'Root=1-a;Lineage=1:b:0' };
    const { queue, table } = await requests(trace);
    expect([queue, table].map(({ headers }) => headers['X-Amzn-Trace-Id'])).toEqual(
      Array(2).fill(trace._X_AMZN_TRACE_ID),
    );
  });
});

describe('the credentials', () => {
  test('are those that Lambda sets, with a session token', async () => {
    const { credentials } = await withVariables({ AWS_SESSION_TOKEN: 'token' });
    expect(await credentials()).toMatchObject({
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      sessionToken: 'token',
    });
  });

  test.each(Object.keys(keys))('are an error that can end if %s is missing', async (name) => {
    const { credentials } = await withVariables({ [name]: undefined });
    expect(isTransient(await credentials().catch((thrown: unknown) => thrown))).toBe(true);
  });
});
