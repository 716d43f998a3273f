import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits in base64url: 43 characters that need no encoding anywhere. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Names a journey to whoever holds it: 144 random bits in base64url. */
export const newSlug = (): string => randomBytes(18).toString('base64url');

/**
 * SHA-256 in base64url. A slow hash guards passwords because people choose few; of 256 random bits none can be guessed,
 * however fast the hash, and a slow one would only let anybody keep the token endpoint busy.
 */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Stands in for the hashes of a client that does not exist, so that it costs the same as a wrong secret. */
const noHash = Buffer.alloc(32);

/** Whether the secret is one of those hashed; its time depends on neither. At most two hashes count. */
export function isSecretOf(hashes: readonly string[], secret: string): boolean {
  const given = createHash('sha256').update(secret).digest();
  const matches = [0, 1].map((place) => {
    const hash = hashes[place];
    return timingSafeEqual(given, hash === undefined ? noHash : Buffer.from(hash, 'base64url')) && hash !== undefined;
  });
  return matches.includes(true);
}
