import { LoadCache } from '../cache.ts';
import { isLive, type StoredClient, scopesOf } from '../domain/access/client.ts';
import { type Scope, scopesIn } from '../domain/access/scope.ts';
import type { PublicKey } from '../domain/access/signing-key.ts';
import { Problem } from '../domain/values/problem.ts';
import { createKeyRing } from './key-ring.ts';
import { createTokenCheck } from './token-check.ts';

type Identity = { teamId: string; clientId: string };

export type VerifierOptions = {
  /** Required issuer and audience of the tokens. */
  issuer: string;
  loadKeys(): Promise<readonly PublicKey[]>;
  loadClient(clientId: string): Promise<StoredClient | undefined>;
  now(): number;
};

/** Milliseconds that the state of a client is cached. A revocation must take effect everywhere within 30 seconds. */
const clientTrustedFor = 20_000;
const cachedClients = 1000;

export type Verified = { teamId: string; clientId: string; scopes: ReadonlySet<Scope> };

/** Longer than any token that we issue. */
const maxAuthorizationLength = 4096;
/** RFC 6750, section 2.1, without padding, which our tokens never have. The name of the scheme is case-insensitive. */
const bearer = /^Bearer +([\w.-]+)$/i;

/**
 * Makes a function that returns the caller that the Authorization header names. If the keys or the client cannot be
 * read, it throws that error, so no unverified caller gets in. It sets the caller in
 * `state` as soon as the token is verified, before it reads the client.
 * @throws Problem `invalid_token`
 */
export function createVerifier({ issuer, loadKeys, loadClient, now }: VerifierOptions) {
  const claimsOf = createTokenCheck({ issuer, keyOf: createKeyRing(loadKeys, now), now });
  const clients = new LoadCache<StoredClient | undefined>(cachedClients, { maxAge: clientTrustedFor, now });

  return async (authorization = '', state: { caller?: Identity } = {}): Promise<Verified> => {
    const token = authorization.length <= maxAuthorizationLength ? bearer.exec(authorization)?.[1] : undefined;
    if (token === undefined) throw new Problem('invalid_token');
    const { client_id: clientId, team_id: teamId, scope } = await claimsOf(token);
    state.caller = { teamId, clientId };
    const client = await clients.get(clientId, () => loadClient(clientId));
    if (!client || !isLive(client, now()) || client.team_id !== teamId) throw new Problem('invalid_token');
    return { teamId, clientId, scopes: new Set(scope === undefined ? scopesOf(client) : scopesIn(scope)) };
  };
}
