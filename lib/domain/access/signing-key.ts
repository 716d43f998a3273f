import * as z from 'zod';

/** A P-256 key as a JSON Web Key (RFC 7517). With `d` it is the private key. */
export const publicJwkSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
});
export const privateJwkSchema = publicJwkSchema.extend({ d: z.string() });
export type PublicJwk = z.output<typeof publicJwkSchema>;
export type PrivateJwk = z.output<typeof privateJwkSchema>;

/** A published public signing key. Times are milliseconds since the epoch. */
export const publicKeySchema = z.object({
  kid: z.string(),
  jwk: publicJwkSchema,
  published_at: z.number(),
  /** Time from which tokens are signed with its private key. */
  usable_from: z.number(),
  /** Time after which no valid token is signed with it; absent for the newest key. */
  needed_until: z.number().optional(),
  /** Id of the rotation that made it, so that a retried rotation recognizes its own key. */
  rotation_id: z.string(),
});

/** A private signing key in the secret. */
export const privateKeySchema = z.object({ kid: z.string(), jwk: privateJwkSchema, usable_from: z.number() });

export type PublicKey = z.output<typeof publicKeySchema>;
export type PrivateKey = z.output<typeof privateKeySchema>;

const minute = 60_000;

/** Milliseconds that a function instance caches the public keys. */
export const publicKeysTrustedFor = 5 * minute;
/** Milliseconds that an instance of the token function caches the private keys. */
export const privateKeysTrustedFor = 5 * minute;
/** Milliseconds between publishing a key and signing with it. By then every verifier has read it. */
export const publicationLead = 2 * publicKeysTrustedFor;
/** Milliseconds that a key stays published after its last token has expired, because clocks differ. */
const publicationMargin = 10 * minute;

/**
 * The key to sign with: the newest that is usable. If none is usable yet, the one that will be usable first. Verifiers
 * fetch an unknown key, so this is better than issuing no tokens.
 */
export function keyToSignWith(keys: readonly PrivateKey[], now: number): PrivateKey | undefined {
  const newestFirst = keys.toSorted((a, b) => b.usable_from - a.usable_from);
  return newestFirst.find((key) => key.usable_from <= now) ?? newestFirst.at(-1);
}

/** The time until which a key must stay published if its successor is used from `successorUsableFrom`. */
export const neededUntil = (successorUsableFrom: number, tokenLifetimeSeconds: number): number =>
  successorUsableFrom + privateKeysTrustedFor + tokenLifetimeSeconds * 1000 + publicationMargin;

export const isNeeded = (key: PublicKey, now: number): boolean =>
  key.needed_until === undefined || key.needed_until > now;
