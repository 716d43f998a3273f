import { errors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { Problem } from '../domain/problem.ts';
import type { VerificationKey } from './key-ring.ts';
import { algorithm, tokenType } from './tokens.ts';

export type TokenCheckOptions = {
  /** Issuer and audience of the tokens that pass. */
  issuer: string;
  keyOf(kid: string): Promise<VerificationKey | undefined>;
  now(): number;
};

/** A token from before scopes has none of them named. */
const claimsSchema = z.object({
  client_id: z.string(),
  team_id: z.string(),
  exp: z.number(),
  scope: z.string().optional(),
});
type CheckedToken = z.output<typeof claimsSchema> & { kid: string };

/** A signature costs a third of a millisecond to verify, and a client sends the same token for an hour. */
const rememberedTokens = 500;

/**
 * Says what a token claims, if this service signed it and it has not expired. A token that has passed is remembered, so
 * that its signature is verified once; its expiry and its key are looked at each time.
 * @throws Problem `invalid_token`.
 */
export function createTokenCheck({ issuer, keyOf, now }: TokenCheckOptions) {
  const passed = new LRUCache<string, CheckedToken>({ max: rememberedTokens });

  const verify = async (token: string): Promise<CheckedToken> => {
    const { payload, protectedHeader } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = kid === undefined ? undefined : await keyOf(kid).catch(asKeyFailure);
        if (!key) throw new errors.JWKSNoMatchingKey();
        return key;
      },
      {
        algorithms: [algorithm],
        typ: tokenType,
        issuer,
        audience: issuer,
        requiredClaims: ['iat', 'sub', 'jti'],
        // From the very second that it names, a token is refused.
        currentDate: new Date(now()),
        clockTolerance: 0,
      },
    );
    return { ...claimsSchema.parse(payload), kid: protectedHeader.kid! };
  };

  return async (token: string): Promise<CheckedToken> => {
    const known = passed.get(token);
    if (known && Math.floor(now() / 1000) < known.exp && (await keyOf(known.kid))) return known;
    passed.delete(token);
    const checked = await verify(token).catch(asInvalid);
    passed.set(token, checked);
    return checked;
  };
}

/** A published key that cannot be read is no fault of the token, although it may be the same kind of error. */
class KeysUnreadable extends Error {
  override readonly name = 'KeysUnreadable';
}

function asKeyFailure(cause: unknown): never {
  throw cause instanceof Problem ? cause : new KeysUnreadable('the published keys cannot be read', { cause });
}

/** Whatever is wrong with the token is one answer; what is wrong with the store goes on as it is. */
function asInvalid(error: unknown): never {
  const isToken = error instanceof errors.JOSEError || error instanceof z.ZodError;
  throw isToken ? new Problem('invalid_token', undefined, { cause: error }) : error;
}
