import * as z from 'zod';
import type { AssertionAlgorithm } from './assertion-algorithm.ts';

/**
 * Public keys that a client authenticates with instead of a secret (contract, section 2), as JSON Web Keys (RFC 7517).
 */
const base64url = () => z.string('is required').regex(/^[\w-]+$/, 'must be base64url');
const kid = z.string('must be a string').min(1, 'must not be empty').max(256, 'must be at most 256 characters');

const ecKeySchema = z.object({
  kty: z.literal('EC'),
  crv: z.enum(['P-256', 'P-384'], 'must be P-256 or P-384'),
  x: base64url(),
  y: base64url(),
  kid: kid.optional(),
});
const rsaKeySchema = z.object({
  kty: z.literal('RSA'),
  n: base64url(),
  e: base64url(),
  kid: kid.optional(),
  alg: z.enum(['RS256', 'PS256'], 'must be RS256 or PS256').optional(),
});
export const clientKeySchema = z.discriminatedUnion('kty', [ecKeySchema, rsaKeySchema], 'kty must be EC or RSA');
export type ClientKey = z.output<typeof clientKeySchema>;

/**
 * The key decides the algorithm, not the assertion, so that a key is never used with an algorithm it was not made for.
 */
export function algorithmsOf(key: ClientKey): readonly AssertionAlgorithm[] {
  if (key.kty === 'EC') return key.crv === 'P-256' ? ['ES256'] : ['ES384'];
  return key.alg === undefined ? ['RS256', 'PS256'] : [key.alg];
}

/** Members that only private or symmetric keys have (RFC 7518, section 6). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

const sentKey = z
  .looseObject({}, 'must be an object')
  .superRefine((key, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (privateMembers.some((name) => Object.hasOwn(key, name))) {
      refuse([], 'is a private key: register only its public part, and replace the key if others may have seen it');
    }
    if (key.use !== undefined && key.use !== 'sig') refuse(['use'], 'must be sig');
    const curveAlgorithm = key.crv === 'P-384' ? 'ES384' : 'ES256';
    if (key.kty === 'EC' && key.alg !== undefined && key.alg !== curveAlgorithm) {
      refuse(['alg'], `must be ${curveAlgorithm} for this curve`);
    }
  })
  .pipe(clientKeySchema);

/** Enough for several systems during a rotation. */
const maxKeys = 10;

/** The JSON Web Key Set that an administrator registers for a client. */
export const clientJwks = z
  .looseObject(
    {
      keys: z
        .array(sentKey, 'must be an array of JSON Web Keys')
        .min(1, 'must contain at least one key')
        .max(maxKeys, `must contain at most ${maxKeys} keys`),
    },
    'must be a JSON Web Key Set, {"keys": […]}',
  )
  .superRefine(({ keys }, context) => {
    const ids = keys.map((key) => key.kid);
    for (const [index, id] of ids.entries()) {
      if (id === undefined || ids.indexOf(id) === index) continue;
      context.addIssue({ code: 'custom', path: ['keys', index, 'kid'], message: 'must not be the kid of another key' });
    }
  });
