import { importJWK } from 'jose';
import { isNeeded, type PublicKey, publicKeysTrustedFor } from '../domain/signing-key.ts';
import { algorithm } from './tokens.ts';

export type VerificationKey = Awaited<ReturnType<typeof importJWK>>;

/** Milliseconds between two fetches that unknown key ids cause, so that invented ones cannot keep the store busy. */
const fetchInterval = 10_000;

type Ring = { fetched: number; keys: Map<string, { published: PublicKey; key: VerificationKey }> };

/** The published keys by id, as this instance knows them; fetched anew after some minutes and at an unknown id. */
export function createKeyRing(loadKeys: () => Promise<readonly PublicKey[]>, now: () => number) {
  let current: { began: number; ring: Promise<Ring> } | undefined;

  const fetch = (): Promise<Ring> => {
    const entry = { began: now(), ring: ringOf(loadKeys, now()) };
    current = entry;
    entry.ring.catch(() => {
      if (current === entry) current = undefined;
    });
    return entry.ring;
  };

  return async (kid: string): Promise<VerificationKey | undefined> => {
    const age = current ? now() - current.began : Number.POSITIVE_INFINITY;
    let ring = await (current && age < publicKeysTrustedFor ? current.ring : fetch());
    if (!ring.keys.has(kid) && now() - ring.fetched >= fetchInterval) ring = await fetch();
    const found = ring.keys.get(kid);
    return found && isNeeded(found.published, now()) ? found.key : undefined;
  };
}

async function ringOf(loadKeys: () => Promise<readonly PublicKey[]>, fetched: number): Promise<Ring> {
  const published = await loadKeys();
  const entries = published
    .filter((key) => isNeeded(key, fetched))
    .map(async (key) => [key.kid, { published: key, key: await importJWK(key.jwk, algorithm) }] as const);
  return { fetched, keys: new Map(await Promise.all(entries)) };
}
