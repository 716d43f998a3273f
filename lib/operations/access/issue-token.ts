import { isLive, type StoredClient, scopesOf, tokenLifetime } from '../../domain/access/client.ts';
import { grantedScopes, scopeText } from '../../domain/access/scope.ts';
import { noteUse, recordRefusal, recordToken, type TokenAudit } from './audit.ts';
import { type Assertion, assertionAuthentication, authentication, type Credentials } from './authenticate.ts';

/** The claims of an access token (RFC 9068, section 2.2). Times are in seconds since the epoch. */
export type IssuedClaims = {
  iss: string;
  aud: string;
  sub: string;
  client_id: string;
  team_id: string;
  scope: string;
  iat: number;
  exp: number;
  jti: string;
};

export type TokenService = TokenAudit & { lifetimeSeconds: number; sign(claims: IssuedClaims): Promise<string> };

export type IssuedToken = { token: string; scope: string; lifetimeSeconds: number };
export type TokenDenial = 'invalid_client' | 'invalid_scope';

/**
 * A signed access token for the client, with the requested scopes; or the reason for a denial: the credentials are not
 * valid, the client is revoked or expired, or a scope is unknown or not granted to the client. The audit log gets an
 * entry of either.
 */
export async function issueToken(
  service: TokenService,
  credentials: Credentials | Assertion,
  requestedScope?: string,
): Promise<IssuedToken | TokenDenial> {
  const { client, isProven } = await ('assertion' in credentials
    ? assertionAuthentication(service, credentials)
    : authentication(service, credentials));
  const at = service.now();
  const refused = async (denial: TokenDenial) => {
    await recordRefusal(service, client, denial);
    return denial;
  };
  if (!client || !isProven || !isLive(client, at)) return refused('invalid_client');
  const lifetimeSeconds = tokenLifetime(client, service.lifetimeSeconds, at);
  if (lifetimeSeconds < 1) return refused('invalid_client');
  const scopes = grantedScopes(scopesOf(client), requestedScope);
  if (!scopes) return refused('invalid_scope');
  const claims = claimsOf(service, client, { scope: scopeText(scopes), lifetimeSeconds, at });
  // No token is issued without an entry: if the entry cannot be written, the response is 503.
  const [token] = await Promise.all([
    service.sign(claims),
    recordToken(service, client, claims.jti),
    noteUse(service, client),
  ]);
  return { token, scope: claims.scope, lifetimeSeconds };
}

/** The issuer is also the audience. */
function claimsOf(
  { baseUrl: issuer, newId }: TokenService,
  { client_id, team_id }: StoredClient,
  { scope, lifetimeSeconds, at }: { scope: string; lifetimeSeconds: number; at: number },
): IssuedClaims {
  const iat = Math.floor(at / 1000);
  const exp = iat + lifetimeSeconds;
  return { iss: issuer, aud: issuer, sub: client_id, client_id, team_id, scope, iat, exp, jti: newId() };
}
