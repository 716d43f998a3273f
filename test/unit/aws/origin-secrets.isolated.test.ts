import { expect, test, vi } from 'vitest';
import { originSecretsAt } from '../../../lib/store/aws/origin-secrets.ts';
import { servedSecret } from '../../support/aws/secrets-manager.ts';

// The retries do not wait.
vi.spyOn(Math, 'random').mockReturnValue(0);

const { secret, client } = servedSecret();
const store = (value: string, stage: string) => secret.versions.set(stage, { value, stages: new Set([stage]) });

test('the secrets of the origin are the current versions of all that are named', async () => {
  store('old', 'AWSPREVIOUS');
  store('text', 'AWSCURRENT');
  expect(await originSecretsAt(['one', 'two'], client()).read()).toEqual(['text', 'text']);
  expect(secret.named.toSorted()).toEqual(['one', 'two']);
  expect(await originSecretsAt([], client()).read()).toEqual([]);
});

test('an empty secret is an error, because anybody could send it', async () => {
  store('', 'AWSCURRENT');
  await expect(originSecretsAt(['one'], client()).read()).rejects.toThrow('a secret of the origin is empty');
});

test('secrets that cannot be read are an error that says so', async () => {
  store('text', 'AWSCURRENT');
  secret.away = true;
  await expect(originSecretsAt(['one'], client()).read()).rejects.toMatchObject({
    code: 'unavailable',
    message: 'the secrets of the origin could not be read',
  });
});
