import { type AuthenticateClient, authenticatedClient, type Credentials } from './authenticate-client.ts';

/** What a token says (RFC 9068, section 2.2). Times in seconds since the epoch. */
export type IssuedClaims = {
  iss: string;
  aud: string;
  sub: string;
  client_id: string;
  team_id: string;
  iat: number;
  exp: number;
  jti: string;
};

export type IssueToken = AuthenticateClient & {
  newId(): string;
  /** Issuer and audience. */
  issuer: string;
  lifetimeSeconds: number;
  sign(claims: IssuedClaims): Promise<string>;
};

/** A signed token for the client; `undefined` when these are not the credentials of a client that may have one. */
export async function issueToken(dependencies: IssueToken, credentials: Credentials): Promise<string | undefined> {
  const { now, newId, issuer, lifetimeSeconds, sign } = dependencies;
  const client = await authenticatedClient(dependencies, credentials);
  if (!client || client.revoked_at !== null) return undefined;
  const issuedAt = Math.floor(now() / 1000);
  return sign({
    iss: issuer,
    aud: issuer,
    sub: client.client_id,
    client_id: client.client_id,
    team_id: client.team_id,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    jti: newId(),
  });
}
