import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import { clientKeysOf } from '../../../bin/admin/access/client-keys.ts';
import { Problem } from '../../../lib/domain/values/problem.ts';

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
