import { errors, jwtVerify } from 'jose';
import * as z from 'zod';
import { BoundedCache } from '../cache.ts';
import { Problem } from '../domain/values/problem.ts';
import type { VerificationKey } from './key-ring.ts';
import { algorithm, tokenType } from './tokens.ts';

export type TokenCheckOptions = {
  /** Required issuer and audience of the tokens. */
  issuer: string;
  keyOf(kid: string): Promise<VerificationKey | undefined>;
  now(): number;
};

/** `scope` is missing in tokens that were issued before scopes existed. */
const claimsSchema = z.object({
  client_id: z.string(),
  team_id: z.string(),
  exp: z.number(),
  scope: z.string().optional(),
});
type CheckedToken = z.output<typeof claimsSchema> & { kid: string };

/**
 * Verified tokens to remember: one verification takes a third of a millisecond, and a token is sent for up to an hour.
 */
const rememberedTokens = 500;

/**
 * Makes a function that returns the claims of a token if this service signed it and it has not expired. The function
 * remembers valid tokens, so each signature is verified once. Expiry and key are checked every time.
 * @throws Problem `invalid_token`
 */
export function createTokenCheck({ issuer, keyOf, now }: TokenCheckOptions) {
  const passed = new BoundedCache<CheckedToken>(rememberedTokens);

  const verify = async (token: string): Promise<CheckedToken> => {
    const { payload, protectedHeader } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = await keyOf(String(kid)).catch(asKeyFailure);
        if (!key) throw new errors.JWKSNoMatchingKey();
        return key;
      },
      {
        algorithms: [algorithm],
        typ: tokenType,
        issuer,
        audience: issuer,
        requiredClaims: ['iat', 'sub', 'jti'],
        // A token is refused from the second that its `exp` names.
        currentDate: new Date(now()),
        clockTolerance: 0,
      },
    );
    return { ...claimsSchema.parse(payload), kid: protectedHeader.kid! };
  };

  return async (token: string): Promise<CheckedToken> => {
    const known = passed.get(token);
    if (known && Math.floor(now() / 1000) < known.exp && (await keyOf(known.kid))) return known;
    const checked = await verify(token).catch(asInvalid);
    passed.set(token, checked);
    return checked;
  };
}

/** Wraps errors from reading the published keys, which could otherwise be mistaken for errors of the token. */
class KeysUnreadable extends Error {
  override readonly name = 'KeysUnreadable';
}

function asKeyFailure(cause: unknown): never {
  throw cause instanceof Problem ? cause : new KeysUnreadable('the published keys cannot be read', { cause });
}

/** Every error of the token becomes `invalid_token`. Errors of the store are thrown unchanged. */
function asInvalid(error: unknown): never {
  const isToken = error instanceof errors.JOSEError || error instanceof z.ZodError;
  throw isToken ? new Problem('invalid_token', undefined, { cause: error }) : error;
}
