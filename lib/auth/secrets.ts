import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits in base64url: 43 characters that need no encoding in URLs, headers or JSON. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/**
 * The unguessable part of a journey's URL: 144 random bits in base64url. It ends in a letter or digit, because mail
 * programs leave a mark at the end out of a link.
 */
export function newSlug(): string {
  for (;;) {
    const slug = randomBytes(18).toString('base64url');
    if (/[a-z\d]$/i.test(slug)) return slug;
  }
}

/**
 * SHA-256 in base64url. A slow hash protects passwords because people choose guessable ones. A secret of 256 random
 * bits cannot be guessed even with a fast hash, and a slow hash would make it easy to overload the token endpoint.
 */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Compared when a hash is missing, so that an unknown client takes the same time as a wrong secret. */
const noHash = Buffer.alloc(32);

/** True if the secret matches one of the first two hashes. The time depends on neither the secret nor the hashes. */
export function isSecretOf(hashes: readonly string[], secret: string): boolean {
  const given = createHash('sha256').update(secret).digest();
  const matches = [0, 1].map((index) => {
    const hash = hashes[index];
    return timingSafeEqual(given, hash === undefined ? noHash : Buffer.from(hash, 'base64url')) && hash !== undefined;
  });
  return matches.includes(true);
}
