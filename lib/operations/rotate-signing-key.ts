import {
  neededUntil,
  type PrivateJwk,
  type PrivateKey,
  type PublicJwk,
  publicationLead,
} from '../domain/signing-key.ts';
import type { Database } from '../store/database.ts';
import { loadPublicKeys, publishKey, retireKey } from '../store/signing-keys.ts';

export type RotationDependencies = {
  database: Database;
  now(): number;
  newKeyPair(): Promise<{ kid: string; publicJwk: PublicJwk; privateJwk: PrivateJwk }>;
  /** Puts the private key where the token function finds it. False if this rotation has put one there before. */
  keep(key: PrivateKey, rotationId: string): Promise<boolean>;
  tokenLifetimeSeconds: number;
};

/** Another rotation's key is published and not yet in use. A second one now would retire the key that is in use. */
export class RotationUnderWay extends Error {
  override readonly name = 'RotationUnderWay';
}

/**
 * Makes a new pair, publishes the public key first, then hands the private one over. Tokens are signed with it only
 * once every verifier has had the time to read it, and the old key stays published until the last token signed with it
 * has expired; so no request fails. Safe to repeat with the same `rotationId`.
 * @throws RotationUnderWay
 */
export async function rotateSigningKey(dependencies: RotationDependencies, rotationId: string): Promise<void> {
  const { database, now, newKeyPair, keep, tokenLifetimeSeconds } = dependencies;
  const published = await loadPublicKeys(database);
  const others = published.filter((key) => key.rotation_id !== rotationId);
  if (others.some((key) => key.usable_from > now())) throw new RotationUnderWay('the last rotation is not in use yet');
  // Nothing was ever signed before the first key, so nobody needs to be waited for.
  const usableFrom = others.length === 0 ? now() : now() + publicationLead;
  const pair = await newKeyPair();
  await publishKey(database, {
    kid: pair.kid,
    jwk: pair.publicJwk,
    published_at: now(),
    usable_from: usableFrom,
    rotation_id: rotationId,
  });
  const kept = await keep({ kid: pair.kid, jwk: pair.privateJwk, usable_from: usableFrom }, rotationId);
  if (!kept) await retireKey(database, pair.kid, now());
  const until = neededUntil(usableFrom, tokenLifetimeSeconds);
  await Promise.all(
    others.filter((key) => key.needed_until === undefined).map((key) => retireKey(database, key.kid, until)),
  );
}
