import { scopesOf } from '../domain/client.ts';
import { grantedScopes, scopeText } from '../domain/scope.ts';
import { type Assertion, type AssertionDependencies, assertedClient } from './authenticate-assertion.ts';
import { authenticatedClient, type Credentials } from './authenticate-client.ts';

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

/** The issuer is also the audience of the tokens. */
export type TokenDependencies = AssertionDependencies & {
  lifetimeSeconds: number;
  sign(claims: IssuedClaims): Promise<string>;
};

export type IssuedToken = { token: string; scope: string };
export type TokenDenial = 'invalid_client' | 'invalid_scope';

/**
 * A signed access token for the client, with the requested scopes; or the reason for a denial: the credentials are not
 * valid, the client is revoked, or a scope is unknown or not granted to the client.
 */
export async function issueToken(
  dependencies: TokenDependencies,
  credentials: Credentials | Assertion,
  requestedScope?: string,
): Promise<IssuedToken | TokenDenial> {
  const { now, newId, issuer, lifetimeSeconds, sign } = dependencies;
  const client = await ('assertion' in credentials
    ? assertedClient(dependencies, credentials)
    : authenticatedClient(dependencies, credentials));
  if (!client || client.revoked_at !== null) return 'invalid_client';
  const scopes = grantedScopes(scopesOf(client), requestedScope);
  if (!scopes) return 'invalid_scope';
  const scope = scopeText(scopes);
  const issuedAt = Math.floor(now() / 1000);
  const token = await sign({
    iss: issuer,
    aud: issuer,
    sub: client.client_id,
    client_id: client.client_id,
    team_id: client.team_id,
    scope,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    jti: newId(),
  });
  return { token, scope };
}
