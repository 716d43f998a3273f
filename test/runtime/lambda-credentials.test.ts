import { afterEach, expect, test, vi } from 'vitest';
import { defaultProvider, environmentCredentials } from '../../lib/runtime/lambda-credentials.ts';
import { isTransient } from '../../lib/store/errors.ts';

const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
const setTo = (variables: Record<string, string | undefined>) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
};

afterEach(() => {
  vi.unstubAllEnvs();
});

test('the credentials are those that Lambda sets, with a session token', async () => {
  setTo({ ...keys, AWS_SESSION_TOKEN: 'token' });
  const expected = { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' };
  expect(await environmentCredentials()).toEqual(expected);
  expect(await defaultProvider()()).toEqual(expected);
});

test.each([undefined, ''])('credentials without a session token have none (%j)', async (AWS_SESSION_TOKEN) => {
  setTo({ ...keys, AWS_SESSION_TOKEN });
  expect(await environmentCredentials()).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret' });
});

test.each(Object.keys(keys))('without %s, a request is unavailable and says what is missing', async (name) => {
  setTo({ ...keys, [name]: undefined });
  const error = (await environmentCredentials().catch((thrown: unknown) => thrown)) as Error;
  expect(error.message).toContain(name);
  expect(isTransient(error)).toBe(true);
});
