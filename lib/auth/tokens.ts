import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import { LoadCache } from '../cache.ts';
import {
  keyToSignWith,
  type PrivateJwk,
  type PrivateKey,
  type PublicJwk,
  privateJwkSchema,
  privateKeysTrustedFor,
  publicJwkSchema,
} from '../domain/access/signing-key.ts';
import { Problem } from '../domain/values/problem.ts';

/** ECDSA with P-256 and SHA-256: the only algorithm that tokens are signed with and verified with. */
export const algorithm = 'ES256';
/** Media type of JWT access tokens (RFC 9068, section 2.1). */
export const tokenType = 'at+jwt';

export async function signToken(claims: Record<string, unknown>, { kid, jwk }: PrivateKey): Promise<string> {
  const key = await importJWK(jwk, algorithm);
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, typ: tokenType, kid }).sign(key);
}

export type SignerOptions = { readKeys(): Promise<readonly PrivateKey[]>; now(): number };

/** Makes a function that signs tokens with the current key. It throws Problem `unavailable` while no key exists. */
export function createSigner({ readKeys, now }: SignerOptions): (claims: Record<string, unknown>) => Promise<string> {
  // An empty list is not cached: the first rotation may still be in progress.
  const load = async () => {
    const keys = await readKeys();
    if (keys.length === 0) throw new Problem('unavailable', undefined, { reason: 'no signing key exists yet' });
    return keys;
  };
  const cached = new LoadCache<readonly PrivateKey[]>(1, { maxAge: privateKeysTrustedFor, now });
  return async (claims) => signToken(claims, keyToSignWith(await cached.get('keys', load), now())!);
}

export type KeyPair = { kid: string; publicJwk: PublicJwk; privateJwk: PrivateJwk };

/** Makes a key pair. Its id is the thumbprint of the public key (RFC 7638). */
export async function newKeyPair(): Promise<KeyPair> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const privateJwk = privateJwkSchema.parse(await exportJWK(privateKey));
  const publicJwk = publicJwkSchema.parse(privateJwk);
  return { kid: await calculateJwkThumbprint(publicJwk), publicJwk, privateJwk };
}

/** The public key as an entry of the JWKS document (RFC 7517). */
export const publishedJwk = (kid: string, jwk: PublicJwk) => ({ ...jwk, kid, use: 'sig', alg: algorithm }) as const;
