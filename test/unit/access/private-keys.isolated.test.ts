import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PrivateKey } from '../../../lib/domain/access/signing-key.ts';
import { type PrivateKeys, privateKeysAt } from '../../../lib/store/access/private-keys.ts';
import { secretsClient } from '../../../lib/store/aws/aws-clients.ts';
import { connectionOf } from '../../support/aws/connection.ts';
import { servedSecret } from '../../support/aws/secrets-manager.ts';
import { localCredentials, localRegion } from '../../support/engine/engine.ts';

// The retries do not wait.
vi.spyOn(Math, 'random').mockReturnValue(0);

const key = (kid: string): PrivateKey => ({
  kid,
  jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' },
  usable_from: 0,
});

const kidsIn = async (keys: PrivateKeys) => (await keys.read()).map(({ kid }) => kid);

async function rotate(keys: PrivateKeys, kid: string, rotationId = `rotation-${kid}`) {
  const kept = await keys.keep(key(kid), rotationId);
  await keys.promote(rotationId);
  return kept;
}

describe('private keys in Secrets Manager', () => {
  const { secret, client } = servedSecret();
  const keys = () => privateKeysAt('arn:aws:secretsmanager:us-east-1:000000000000:secret:SigningKeys-abc', client);

  test('are none in a secret that was made empty', async () => {
    expect(await kidsIn(keys())).toEqual([]);
  });

  test('are the current one and the one before it', async () => {
    for (const kid of ['one', 'two', 'three']) await rotate(keys(), kid);
    expect(await kidsIn(keys())).toEqual(['three', 'two']);
  });

  test('are not read before the rotation has finished', async () => {
    await rotate(keys(), 'one');
    await keys().keep(key('two'), 'rotation-two');
    expect(await kidsIn(keys())).toEqual(['one']);
  });

  test('are written once in a rotation, however often a step is repeated', async () => {
    await rotate(keys(), 'one');
    secret.begin('rotation-two');
    expect(await rotate(keys(), 'two', 'rotation-two')).toBe(true);
    expect(await rotate(keys(), 'another', 'rotation-two')).toBe(false);
    expect(await kidsIn(keys())).toEqual(['two', 'one']);
  });

  test('are never read by a rotation', async () => {
    await rotate(keys(), 'one');
    await rotate(keys(), 'two');
    expect(secret.calls).not.toContain('GetSecretValue');
  });

  test('are not found in a value that holds something else', async () => {
    secret.versions.set('made', { value: 'a password that nobody asked for', stages: new Set(['AWSCURRENT']) });
    expect(await kidsIn(keys())).toEqual([]);
    await rotate(keys(), 'one');
    expect(await kidsIn(keys())).toEqual(['one']);
  });

  test('are pending until they are made current', async () => {
    await keys().keep(key('one'), 'rotation-one');
    expect([...secret.versions.get('rotation-one')!.stages]).toEqual(['AWSPENDING']);
    await keys().promote('rotation-one');
    expect(secret.versions.get('rotation-one')!.stages).toContain('AWSCURRENT');
  });

  test('are in the secret with this name', async () => {
    secret.named.length = 0;
    await rotate(keys(), 'one');
    await keys().read();
    expect(new Set(secret.named)).toEqual(
      new Set(['arn:aws:secretsmanager:us-east-1:000000000000:secret:SigningKeys-abc']),
    );
  });

  test.each(['.', ''])('are neither absent nor unavailable if there is no secret, with %j at the end', async (end) => {
    const message = `Secrets Manager can't find the specified secret${end}`;
    const body = JSON.stringify({ __type: 'ResourceNotFoundException', message });
    const answer = { statusCode: 400, body };
    const { requestHandler } = connectionOf([answer, answer]);
    const access = { region: localRegion, credentials: localCredentials, requestHandler };
    await expect(privateKeysAt('arn', () => secretsClient(access)).read()).rejects.toThrow(message);
  });
});

describe('private keys in a file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keys-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const path = () => join(folder, 'signing keys.json');
  const keys = () => privateKeysAt(pathToFileURL(path()).href, () => expect.fail('no secret is read'));

  test('are none before the first rotation', async () => {
    expect(await kidsIn(keys())).toEqual([]);
  });

  test('are the newest and the one before it, in a file that only its owner reads', async () => {
    for (const kid of ['one', 'two', 'three']) await rotate(keys(), kid);
    expect(await kidsIn(keys())).toEqual(['three', 'two']);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['signing keys.json']);
  });

  test('are written once in a rotation', async () => {
    expect(await rotate(keys(), 'one', 'first')).toBe(true);
    expect(await rotate(keys(), 'two', 'first')).toBe(false);
    expect(await kidsIn(keys())).toEqual(['one']);
  });

  test('are not silently replaced where the file holds something else', async () => {
    writeFileSync(path(), 'no JSON');
    await expect(keys().read()).rejects.toThrow();
    await expect(keys().keep(key('one'), 'first')).rejects.toThrow();
  });
});
