import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { verifiedAssertion } from '../../../lib/auth/client-assertion.ts';
import type { ClientKey } from '../../../lib/domain/access/client-key.ts';

const pairs = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
};
type Algorithm = keyof typeof pairs;
const publicKey = (alg: Algorithm, kid?: string) =>
  ({ ...pairs[alg].publicKey.export({ format: 'jwk' }), ...(kid === undefined ? {} : { kid }) }) as ClientKey;

const issuer = 'https://api.example.com';
const audiences = [issuer, `${issuer}/oauth2/token`];
const now = Date.parse('2026-03-01T12:00:00Z');
const seconds = now / 1000;
const valid = { iss: 'client', sub: 'client', aud: issuer, exp: seconds + 60, jti: 'j' };

const signed = (claims: object, header: object = {}, alg: Algorithm = 'ES256') =>
  new SignJWT(JSON.parse(JSON.stringify(claims)))
    .setProtectedHeader({ alg, ...header })
    .sign(pairs[alg].privateKey as KeyObject);

function verify(assertion: string, keys: ClientKey[] | null = [publicKey('ES256', 'a')]) {
  const client = { client_id: 'client', keys };
  return verifiedAssertion({ audiences, now: () => now }, assertion, async (id) => {
    if (typeof id !== 'string') throw new Error('only text is an id');
    return id === 'client' ? client : undefined;
  });
}

describe('an assertion', () => {
  test('gives its client, its id, and the time from which it is refused', async () => {
    const client = { client_id: 'client', keys: [publicKey('ES256')] };
    const expected = { client, jti: 'j', expiresAt: seconds + 60 + 10 };
    expect(await verify(await signed(valid), client.keys)).toEqual(expected);
    expect(await verify(await signed({ ...valid, exp: seconds + 59.5 }), client.keys)).toEqual(expected);
  });

  test.each<[string, object]>([
    ['for the token endpoint', { aud: audiences[1] }],
    ['for the server in an array', { aud: [issuer] }],
    ['that is valid as long as possible', { exp: seconds + 310 }],
    ['that expired less than ten seconds ago', { exp: seconds - 9 }],
  ])('%s is accepted', async (_, changes) => {
    expect(await verify(await signed({ ...valid, ...changes }))).toBeDefined();
  });

  test.each<[string, object]>([
    ['for another server', { aud: 'https://elsewhere.example.com' }],
    ['for another server too', { aud: [issuer, 'https://elsewhere.example.com'] }],
    ['for both names of the server', { aud: audiences }],
    ['for the server twice', { aud: [issuer, issuer] }],
    ['for the server with a slash', { aud: `${issuer}/` }],
    ['for no server', { aud: [] }],
    ['without an audience', { aud: undefined }],
    ['that is valid for too long', { exp: seconds + 311 }],
    ['that expired', { exp: seconds - 10 }],
    ['without an expiry', { exp: undefined }],
    ['that is not valid yet', { nbf: seconds + 11 }],
    ['without an id', { jti: undefined }],
    ['with an empty id', { jti: '' }],
    ['whose id is a number', { jti: 7 }],
    ['of another issuer', { iss: 'other' }],
    ['of an unknown client', { iss: 'other', sub: 'other' }],
    ['without a subject', { sub: undefined }],
  ])('%s is refused', async (_, changes) => {
    expect(await verify(await signed({ ...valid, ...changes }))).toBeUndefined();
  });

  test.each(['', 'x', 'a.b.c', new UnsecuredJWT(valid).encode()])('%.20j is none', async (text) => {
    expect(await verify(text)).toBeUndefined();
  });

  test('signed by HMAC with the public key is refused', async () => {
    for (const secret of [
      JSON.stringify(publicKey('ES256', 'a')),
      pairs.ES256.publicKey.export({ type: 'spki', format: 'pem' }),
    ]) {
      const assertion = new SignJWT(valid).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
      expect(await verify(await assertion)).toBeUndefined();
    }
  });

  const keys = [publicKey('ES384', 'a'), publicKey('ES256', 'b'), publicKey('RS256')];
  test.each<[string, Algorithm, object, ClientKey[] | null, boolean]>([
    ['signed by any of the keys', 'RS256', {}, keys, true],
    ['signed by the named key', 'ES384', { kid: 'a' }, keys, true],
    ['that names a key, signed by a key without a name', 'RS256', { kid: 'x' }, keys, true],
    ['whose name of a key is no text', 'ES256', { kid: 7 }, keys, true],
    ['that names another key', 'ES256', { kid: 'a' }, keys, false],
    ['of a client without such a key', 'ES256', {}, [publicKey('ES384')], false],
    ['of a client without keys', 'ES256', {}, [], false],
    ['of a client with a secret', 'ES256', {}, null, false],
  ])('%s is accepted or refused', async (_, alg, header, held, expected) => {
    expect((await verify(await signed(valid, header, alg), held)) !== undefined).toBe(expected);
  });

  test('signed by another key of the same kind is refused, and the next key is tried', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }) as ClientKey;
    expect(await verify(await signed(valid), [other])).toBeUndefined();
    expect(await verify(await signed(valid), [other, publicKey('ES256')])).toBeDefined();
  });
});
