import {
  neededUntil,
  type PrivateJwk,
  type PrivateKey,
  type PublicJwk,
  publicationLead,
} from '../../domain/access/signing-key.ts';
import { loadPublicKeys, publishKey, retireKey } from '../../store/access/signing-keys.ts';
import type { Service } from '../service.ts';

export type RotationService = Pick<Service, 'database' | 'now'> & {
  newKeyPair(): Promise<{ kid: string; publicJwk: PublicJwk; privateJwk: PrivateJwk }>;
  /** Stores the private key for the token function. False if this rotation has already stored one. */
  keep(key: PrivateKey, rotationId: string): Promise<boolean>;
  tokenLifetimeSeconds: number;
};

/**
 * The key of another rotation is published but not in use yet. A second rotation would retire the key that is in use.
 */
export class RotationUnderWay extends Error {
  override readonly name = 'RotationUnderWay';
}

/**
 * Creates a new key pair, publishes the public key, and then stores the private key. Tokens are signed with it only
 * after every verifier has had time to read it, and the old key stays published until the last token that it signed has
 * expired. So no request fails. It is safe to repeat with the same `rotationId`.
 * @throws RotationUnderWay
 */
export async function rotateSigningKey(service: RotationService, rotationId: string): Promise<void> {
  const { database, now, newKeyPair, keep, tokenLifetimeSeconds } = service;
  const published = await loadPublicKeys(database);
  const others = published.filter((key) => key.rotation_id !== rotationId);
  if (others.some((key) => key.usable_from > now()))
    throw new RotationUnderWay('the key of the last rotation is not in use yet');
  // Before the first key, no token was signed, so the key can be used at once.
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
  // Until it is stored, the private key cannot be used.
  const until = neededUntil(Math.max(usableFrom, now()), tokenLifetimeSeconds);
  await Promise.all(
    others.filter((key) => key.needed_until === undefined).map((key) => retireKey(database, key.kid, until)),
  );
}
