import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { type PrivateJwk, type PublicJwk, privateJwkSchema, publicJwkSchema } from '../domain/signing-key.ts';
import { algorithm } from './tokens.ts';

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
