import { createSigner } from '../../lib/auth/tokens.ts';
import { EntryLimit } from '../../lib/domain/access/audit-limit.ts';
import { errorFields, methodNotAllowed } from '../../lib/domain/values/problem.ts';
import { httpHandler } from '../../lib/http/handler.ts';
import type { Reply } from '../../lib/http/reply.ts';
import type { Event, RequestState } from '../../lib/http/request.ts';
import { credentialsInQuery, refusalReply, TokenRefusal, tokenReply, tokenRequest } from '../../lib/http/token.ts';
import type { TokenAuditSettings } from '../../lib/operations/access/audit.ts';
import { revokeExposed } from '../../lib/operations/access/clients.ts';
import { type IssuedClaims, issueToken, type TokenDenial } from '../../lib/operations/access/issue-token.ts';
import { secrets } from '../../lib/runtime/aws.ts';
import { environment, logger, now, requests } from '../../lib/runtime/base.ts';
import { runtime } from '../../lib/runtime/table.ts';
import { privateKeysAt } from '../../lib/store/access/private-keys.ts';

let signer: ReturnType<typeof createSigner> | undefined;

const sign = (claims: Record<string, unknown>): Promise<string> => {
  const location = environment().SIGNING_KEYS;
  if (location === undefined) throw new Error('SIGNING_KEYS is not set');
  signer ??= createSigner({ readKeys: () => privateKeysAt(location, secrets).read(), now });
  return signer(claims);
};

const limit = new EntryLimit();
const audit = (): TokenAuditSettings => ({
  limit,
  retentionDays: environment().AUDIT_RETENTION_DAYS,
  onUnrecorded: (what, error) => logger().warn('not recorded', { what, ...errorFields(error) }),
});

const denials: Record<TokenDenial, string> = {
  invalid_client: 'No client has these credentials, or the assertion is not valid.',
  invalid_scope: 'A scope is unknown, or not granted to this client.',
};

async function issue(event: Event, state: RequestState): Promise<Reply> {
  const issuer = environment().ISSUER;
  const dependencies = { ...runtime(), ...audit(), issuer };
  const exposed = credentialsInQuery(event);
  if (exposed) {
    const clientIds = await revokeExposed(dependencies, exposed);
    if (clientIds.length > 0) logger().warn('client revoked: its credentials were sent in a URL', { clientIds });
    throw new TokenRefusal(
      'invalid_request',
      'Credentials must not be sent in the URL. A client whose valid credentials were sent there is revoked.',
    );
  }
  if (event.requestContext.http.method !== 'POST') throw methodNotAllowed(['POST']);
  const lifetimeSeconds = environment().TOKEN_LIFETIME_SECONDS;
  // A token is signed only for valid credentials, so the client can be logged.
  const signFor = (claims: IssuedClaims) => {
    state.caller = { clientId: claims.client_id, teamId: claims.team_id };
    return sign(claims);
  };
  const { credentials, scope } = tokenRequest(event);
  const issued = await issueToken({ ...dependencies, lifetimeSeconds, sign: signFor }, credentials, scope);
  if (typeof issued === 'string') throw new TokenRefusal(issued, denials[issued]);
  return tokenReply(issued.token, issued.lifetimeSeconds, issued.scope);
}

/** Private: no response of this endpoint may be cached, errors included (RFC 6749, section 5.1). */
const respond = (event: Event, state: RequestState) => issue(event, state).catch(refusalReply);
export const handler = httpHandler(requests, 'create-token', respond, { isPrivate: true });
