import { Problem } from '../domain/problem.ts';
import type { createToken } from './contracts/oauth2.ts';
import { type ReplyOf, reply } from './reply.ts';

export type TokenReply = ReplyOf<typeof createToken>;

/** The errors of the token endpoint (RFC 6749, section 5.2) that this service gives. */
export type TokenErrorCode = 'invalid_request' | 'invalid_client' | 'invalid_scope' | 'unsupported_grant_type';

/** An error in the format of OAuth. Its description contains no sent value. */
export class TokenRefusal extends Error {
  override readonly name = 'TokenRefusal';
  readonly code: TokenErrorCode;

  constructor(code: TokenErrorCode, description: string) {
    super(description);
    this.code = code;
  }
}

export const tokenReply = (accessToken: string, expiresIn: number, scope: string): TokenReply =>
  reply(200, { access_token: accessToken, token_type: 'Bearer', expires_in: expiresIn, scope });

/** The response to a rejected token request. Rethrows every other error. */
export function refusalReply(error: unknown): TokenReply {
  const { code, message } = refusalOf(error);
  if (code !== 'invalid_client') return reply(400, { error: code, error_description: message });
  const challenge = { 'www-authenticate': 'Basic realm="onboarding"' };
  return reply(401, { error: code, error_description: message }, challenge);
}

/** A malformed request is `invalid_request` in the format of OAuth too (contract, section 2). */
function refusalOf(error: unknown): TokenRefusal {
  if (error instanceof TokenRefusal) return error;
  if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error;
  return new TokenRefusal('invalid_request', 'The body must be a form or a JSON object.');
}
