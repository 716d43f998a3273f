import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { clientKeysOf } from '../../../bin/admin/access/client-keys.ts';
import {
  clientSchema,
  isExpired,
  isLive,
  liveSecretHashes,
  newClient,
  revoked,
  scopesOf,
  secretOverlap,
  tokenLifetime,
  withKeys,
  withNewSecret,
} from '../../../lib/domain/access/client.ts';
import { allScopes } from '../../../lib/domain/access/scope.ts';
import { Problem } from '../../../lib/domain/values/problem.ts';

const start = Date.parse('2026-03-01T12:00:00Z');
const day = 24 * 3600 * 1000;
const client = newClient('8a6e0804-2bd0-4672-b79d-d97027f9071a', 'c56a4180-65aa-42ec-a945-5fd21dec0538', 'one', start);

describe('the secrets of a client', () => {
  test('are one at first, for good', () => {
    expect(liveSecretHashes(client, start + 1000 * day)).toEqual(['one']);
  });

  test('are two during a rotation, until the old one runs out', () => {
    const rotated = withNewSecret(client, 'two', start);
    expect(liveSecretHashes(rotated, start + secretOverlap - 1)).toEqual(['two', 'one']);
    expect(liveSecretHashes(rotated, start + secretOverlap)).toEqual(['two']);
  });

  test('run out in time where the time was stored with three digits', () => {
    const [newest, old] = withNewSecret(client, 'two', start).secrets;
    const stored = { ...client, secrets: [newest!, { ...old!, expires_at: new Date(start + day).toISOString() }] };
    expect(liveSecretHashes(stored, start + day - 1)).toEqual(['two', 'one']);
    expect(liveSecretHashes(stored, start + day)).toEqual(['two']);
  });

  test('are never more than two: a second rotation ends the oldest at once', () => {
    const rotated = withNewSecret(withNewSecret(client, 'two', start), 'three', start + day);
    expect(liveSecretHashes(rotated, start + day)).toEqual(['three', 'two']);
  });
});

describe('a revocation', () => {
  test('says when and by whom', () => {
    expect(revoked(client, 'query_string', start + day)).toMatchObject({
      revoked_at: '2026-03-02T12:00:00.000000Z',
      revoked_by: 'query_string',
      version: 2,
    });
  });

  test('is for good: another one changes nothing', () => {
    const once = revoked(client, 'query_string', start);
    expect(revoked(once, 'administrator', start + day)).toBe(once);
  });
});

describe('a client', () => {
  const expiring = newClient('id', 'team', 'one', start, { expiry: '2026-03-01T12:00:10.5Z' });

  test('with keys has no secrets, and its keys can be replaced', () => {
    const key = { kid: 'a' } as never;
    const withKey = newClient('id', 'team', [key], start);
    expect(withKey).toMatchObject({ secrets: [], keys: [key], version: 1 });
    const changed = withKeys(withKey, [key, key], start + day);
    expect(changed).toEqual({ ...withKey, keys: [key, key], updated_at: '2026-03-02T12:00:00.000000Z', version: 2 });
    expect(withNewSecret(withKey, 'two', start + day)).toMatchObject({
      secrets: [{ hash: 'two', inserted_at: '2026-03-02T12:00:00.000000Z', expires_at: null }],
      version: 2,
    });
    expect(withNewSecret(withKey, 'two', start).secrets).toHaveLength(1);
  });

  test.each([
    [0, 10, true],
    [10_499, 0, true],
    [10_500, 0, false],
    [20_000, -10, false],
  ])('that expires is live %i ms later, and its tokens for %i seconds: %s', (later, seconds, live) => {
    expect(isLive(expiring, start + later)).toBe(live);
    expect(isExpired(expiring, start + later)).toBe(!live);
    expect(tokenLifetime(expiring, 60, start + later)).toBe(seconds);
  });

  test('without an expiry is live until it is revoked', () => {
    expect(isExpired(client, start + 1000 * day)).toBe(false);
    expect(tokenLifetime(client, 60, start)).toBe(60);
    expect(isLive(client, start)).toBe(true);
    expect(isLive(revoked(client, 'administrator', start), start)).toBe(false);
  });

  test('has all scopes unless it was given some', () => {
    expect(scopesOf(client)).toEqual(allScopes);
    expect(scopesOf({ ...client, scopes: ['contacts:read'] })).toEqual(['contacts:read']);
  });
});

test('a client is read as it was stored', () => {
  const made = newClient(client.client_id, client.team_id, 'one', start, { name: 'Import', scopes: ['contacts:read'] });
  expect(made.secrets).toEqual([{ hash: 'one', inserted_at: '2026-03-01T12:00:00.000000Z', expires_at: null }]);
  expect(made.keys).toBeNull();
  const used = { ...withNewSecret(made, 'two', start), last_used_on: '2026-03-01' };
  for (const each of [made, used, revoked(made, 'administrator', start), revoked(made, 'query_string', start)]) {
    expect(clientSchema.parse(JSON.parse(JSON.stringify(each)))).toStrictEqual(each);
  }
});

test('an old secret is accepted for a week', () => {
  expect(secretOverlap).toBe(604_800_000);
});

const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' });
const pairs = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
};

test('public keys of the three kinds are taken, without what only their owner needs to know', () => {
  const keys = [
    { ...jwkOf(pairs.ES256.publicKey), kid: 'a', alg: 'ES256', use: 'sig', owner: 'somebody' },
    jwkOf(pairs.ES384.publicKey),
    { ...jwkOf(pairs.RS256.publicKey), alg: 'PS256' },
  ];
  expect(clientKeysOf({ keys })).toEqual([
    { ...jwkOf(pairs.ES256.publicKey), kid: 'a' },
    jwkOf(pairs.ES384.publicKey),
    { ...jwkOf(pairs.RS256.publicKey), alg: 'PS256' },
  ]);
});

const rsa = (modulusLength: number, publicExponent = 65_537) =>
  jwkOf(generateKeyPairSync('rsa', { modulusLength, publicExponent }).publicKey);
const curve = (namedCurve: string) => jwkOf(generateKeyPairSync('ec', { namedCurve }).publicKey);
const good = jwkOf(pairs.ES256.publicKey);
test.each<[what: string, document: () => unknown, path: string, message: string]>([
  ['a private key', () => ({ keys: [jwkOf(pairs.ES256.privateKey)] }), '/keys/0', 'private key'],
  [
    'a private RSA key beside a good one',
    () => ({ keys: [good, jwkOf(pairs.RS256.privateKey)] }),
    '/keys/1',
    'private key',
  ],
  ['a secret key', () => ({ keys: [{ kty: 'oct', k: 'c2VjcmV0' }] }), '/keys/0', 'private key'],
  ['an RSA key of 1,024 bits', () => ({ keys: [rsa(1024)] }), '/keys/0', '2,048 bits'],
  ['a curve that is not taken', () => ({ keys: [curve('P-521')] }), '/keys/0/crv', 'P-256 or P-384'],
  ['another curve', () => ({ keys: [curve('secp256k1')] }), '/keys/0/crv', 'P-256 or P-384'],
  ['an Edwards curve', () => ({ keys: [jwkOf(generateKeyPairSync('ed25519').publicKey)] }), '/keys/0/kty', 'EC or RSA'],
  [
    'a point that is not on its curve',
    () => ({ keys: [{ ...good, x: good.y, y: good.x }] }),
    '/keys/0',
    'parameters do not match',
  ],
  ['an RSA key with an even exponent', () => ({ keys: [{ ...rsa(2048), e: 'BA' }] }), '/keys/0', 'odd exponent of 3'],
  ['an RSA key with the exponent 1', () => ({ keys: [{ ...rsa(2048), e: 'AQ' }] }), '/keys/0', 'odd exponent of 3'],
  ['a key for encryption', () => ({ keys: [{ ...good, use: 'enc' }] }), '/keys/0/use', 'sig'],
  ['an algorithm that is not the key’s', () => ({ keys: [{ ...good, alg: 'ES384' }] }), '/keys/0/alg', 'ES256'],
  ['an RSA key for RS512', () => ({ keys: [{ ...rsa(2048), alg: 'RS512' }] }), '/keys/0/alg', 'RS256 or PS256'],
  [
    'two keys of one id',
    () => ({
      keys: [
        { ...good, kid: 'a' },
        { ...good, kid: 'a' },
      ],
    }),
    '/keys/1/kid',
    'another key',
  ],
  ['no key', () => ({ keys: [] }), '/keys', 'at least one key'],
  ['a key alone', () => good, '/keys', 'array'],
  ['a list', () => [good], '', 'Key Set'],
])('a document with %s is refused', (_, document, path, message) => {
  const refusal = refusalOf(document());
  expect(refusal.code).toBe('validation_failed');
  expect(refusal.details).toEqual([{ path, message: expect.stringContaining(message) }]);
});

function refusalOf(document: unknown): Problem {
  try {
    clientKeysOf(document);
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error('it was not refused');
}
