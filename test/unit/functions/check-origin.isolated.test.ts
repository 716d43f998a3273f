import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { servedSecret } from '../../support/aws/secrets-manager.ts';

const value = 'kD7sVq0u3mXo5tYb9cLr2wZa8eJf6hNg4pTiQxRyUvB';
const { secret } = servedSecret();

Object.assign(process.env, {
  TABLE_NAME: 'onboarding',
  ISSUER: 'https://api.example.com',
  ORIGIN_SECRETS: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:origin/a-abc',
  LOG_LEVEL: 'SILENT',
});
beforeEach(() => {
  vi.resetModules();
  secret.versions.set('one', { value, stages: new Set(['AWSCURRENT']) });
});

async function check(...sent: string[]): Promise<unknown> {
  const { handler } = await import('../../../functions/edge/check-origin.ts');
  return handler({ identitySource: sent } as APIGatewayRequestAuthorizerEventV2);
}

describe('a request to the API', () => {
  test('is let through with the secret of CloudFront', async () => {
    expect(await check(value)).toEqual({ isAuthorized: true });
  });

  test.each([[value.slice(1)], [`${value} `], [''], ['undefined']])('is rejected with %j', async (sent) => {
    expect(await check(sent)).toEqual({ isAuthorized: false });
  });

  test('is rejected without the header', async () => {
    expect(await check()).toEqual({ isAuthorized: false });
  });
});

describe('the secret', () => {
  test('is read once for many requests', async () => {
    await check(value);
    await check('other');
    expect(secret.calls).toEqual(['GetSecretValue']);
  });

  test('that cannot be read lets nothing through, and is read again for the next request', async () => {
    secret.away = true;
    await expect(check(value)).rejects.toThrow('the secrets of the origin could not be read');
    secret.away = false;
    expect(await check(value)).toEqual({ isAuthorized: true });
  });
});
