import { importJWK, SignJWT } from 'jose';
import { LoadCache } from '../cache.ts';
import { Problem } from '../domain/problem.ts';
import { keyToSignWith, type PrivateKey, privateKeysTrustedFor } from '../domain/signing-key.ts';

/** ECDSA with P-256 and SHA-256: the one algorithm that tokens are signed with and accepted by. */
export const algorithm = 'ES256';
/** Media type of JWT access tokens (RFC 9068, section 2.1). */
export const tokenType = 'at+jwt';

export async function signToken(claims: Record<string, unknown>, { kid, jwk }: PrivateKey): Promise<string> {
  const key = await importJWK(jwk, algorithm);
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, typ: tokenType, kid }).sign(key);
}

export type SignerOptions = { readKeys(): Promise<readonly PrivateKey[]>; now(): number };

/** Signs tokens with the key that is due. @throws Problem `unavailable` while there is none. */
export function createSigner({ readKeys, now }: SignerOptions): (claims: Record<string, unknown>) => Promise<string> {
  // No keys is no answer to hold on to: the first rotation may be under way.
  const load = async () => {
    const keys = await readKeys();
    if (keys.length === 0) throw new Problem('unavailable', undefined, { reason: 'no signing key was made yet' });
    return keys;
  };
  const cached = new LoadCache<readonly PrivateKey[]>(1, { maxAge: privateKeysTrustedFor, now });
  return async (claims) => signToken(claims, keyToSignWith(await cached.get('keys', load), now())!);
}
