import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isTransient } from '../../lib/store/errors.ts';

const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
const settings = { TABLE_NAME: 'none', ISSUER: 'https://api.example.com' };

/** The module with these environment variables, which it reads once. */
async function withVariables(variables: Record<string, string | undefined>) {
  for (const [name, value] of Object.entries({ ...settings, ...keys, ...variables })) vi.stubEnv(name, value);
  return import('../../lib/runtime/access.ts');
}

beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the credentials', () => {
  test('are those that Lambda sets, with a session token', async () => {
    const { credentials } = await withVariables({ AWS_SESSION_TOKEN: 'token' });
    expect(await credentials()).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' });
  });

  test.each([undefined, ''])('have no session token if there is none (%j)', async (AWS_SESSION_TOKEN) => {
    const { credentials } = await withVariables({ AWS_SESSION_TOKEN });
    expect(await credentials()).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret' });
  });

  test.each(Object.keys(keys))('are an error that can end if %s is missing', async (name) => {
    const { credentials } = await withVariables({ [name]: undefined });
    const error = (await credentials().catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toContain(name);
    expect(isTransient(error)).toBe(true);
  });
});

describe('a service', () => {
  const [one, all] = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];

  test.each([
    ['S3', { AWS_ENDPOINT_URL_S3: one, AWS_ENDPOINT_URL: all }, one],
    ['DYNAMODB', { AWS_ENDPOINT_URL_S3: one, AWS_ENDPOINT_URL: all }, all],
    ['SECRETS_MANAGER', { AWS_ENDPOINT_URL_S3: one, AWS_ENDPOINT_URL: undefined }, undefined],
    [undefined, { AWS_ENDPOINT_URL: all }, undefined],
  ] as const)('%s has the endpoint that is set for it, or for all', async (service, variables, endpoint) => {
    const { access, credentials } = await withVariables({ AWS_REGION: 'eu-central-1', ...variables });
    expect(access(service)).toEqual({ region: 'eu-central-1', credentials, endpoint });
  });
});

test('a secret is read at the endpoint of Secrets Manager', async () => {
  const server = createServer((_, response) => response.end('{"SecretString":"s"}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await withVariables({ AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${port}` });
  const { secrets } = await import('../../lib/runtime/secrets.ts');
  try {
    expect(await secrets().send('GetSecretValue', { SecretId: 'arn' })).toEqual({ SecretString: 's' });
  } finally {
    secrets().destroy();
    await once(server.close(), 'close');
  }
});
