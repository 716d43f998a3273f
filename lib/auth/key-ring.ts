import { importJWK } from 'jose';
import { LoadCache } from '../cache.ts';
import { isNeeded, type PublicKey, publicKeysTrustedFor } from '../domain/access/signing-key.ts';
import { algorithm } from './tokens.ts';

export type VerificationKey = Awaited<ReturnType<typeof importJWK>>;

/**
 * Least milliseconds between two fetches for unknown key ids, so that tokens with invented ids cannot load the store.
 */
const fetchInterval = 10_000;

type Ring = { fetched: number; keys: Map<string, { published: PublicKey; key: VerificationKey }> };

/** A cache of the published keys by id. They are fetched again when they expire, and for an unknown id. */
export function createKeyRing(loadKeys: () => Promise<readonly PublicKey[]>, now: () => number) {
  const rings = new LoadCache<Ring>(1, { maxAge: publicKeysTrustedFor, now });
  const fetch = () => ringOf(loadKeys, now());

  return async (kid: string): Promise<VerificationKey | undefined> => {
    let ring = await rings.get('ring', fetch);
    if (!ring.keys.has(kid) && now() - ring.fetched >= fetchInterval) ring = await rings.reload('ring', fetch);
    const found = ring.keys.get(kid);
    return found && isNeeded(found.published, now()) ? found.key : undefined;
  };
}

async function ringOf(loadKeys: () => Promise<readonly PublicKey[]>, fetched: number): Promise<Ring> {
  const published = await loadKeys();
  const entries = published.map(
    async (key) => [key.kid, { published: key, key: await importJWK(key.jwk, algorithm) }] as const,
  );
  return { fetched, keys: new Map(await Promise.all(entries)) };
}
