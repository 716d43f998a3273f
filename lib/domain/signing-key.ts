import * as z from 'zod';

/** A P-256 key as a JSON Web Key (RFC 7517); with `d` it is the private one. */
export const publicJwkSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
});
export const privateJwkSchema = publicJwkSchema.extend({ d: z.string() });
export type PublicJwk = z.output<typeof publicJwkSchema>;
export type PrivateJwk = z.output<typeof privateJwkSchema>;

/** A public signing key as it is published. Times are milliseconds since the epoch. */
export const publicKeySchema = z.object({
  kid: z.string(),
  jwk: publicJwkSchema,
  published_at: z.number(),
  /** From when tokens are signed with its private half. */
  usable_from: z.number(),
  /** When the last token signed with it has expired; absent while it is the newest. */
  needed_until: z.number().optional(),
  /** Which rotation made it, so that a repeat of the rotation knows its own. */
  rotation_id: z.string(),
});

/** A private signing key as the vault holds it. */
export const privateKeySchema = z.object({ kid: z.string(), jwk: privateJwkSchema, usable_from: z.number() });

export type PublicKey = z.output<typeof publicKeySchema>;
export type PrivateKey = z.output<typeof privateKeySchema>;

const minute = 60_000;

/** Milliseconds that a function instance trusts the public keys it has read. */
export const publicKeysTrustedFor = 5 * minute;
/** Milliseconds that an instance of the token function goes on with the private keys it has read. */
export const privateKeysTrustedFor = 5 * minute;
/** Milliseconds from publishing a key to signing with it: by then every verifier has read it. */
export const publicationLead = 2 * publicKeysTrustedFor;
/** Milliseconds that a key stays published beyond the last token's expiry, for clocks that differ. */
export const publicationMargin = 10 * minute;

/**
 * The key to sign with: the newest that may be used. If none may be yet, the one that may be soonest, which verifiers
 * fetch when they meet it: better than no tokens at all.
 */
export function keyToSignWith(keys: readonly PrivateKey[], now: number): PrivateKey | undefined {
  const newestFirst = keys.toSorted((a, b) => b.usable_from - a.usable_from);
  return newestFirst.find((key) => key.usable_from <= now) ?? newestFirst.at(-1);
}

/** Until when a key must stay published once another takes over at `successorUsableFrom`. */
export const neededUntil = (successorUsableFrom: number, tokenLifetimeSeconds: number): number =>
  successorUsableFrom + privateKeysTrustedFor + tokenLifetimeSeconds * 1000 + publicationMargin;

export const isNeeded = (key: PublicKey, now: number): boolean =>
  key.needed_until === undefined || key.needed_until > now;
