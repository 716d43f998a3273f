import { LoadCache } from '../cache.ts';
import { isLive, type StoredClient, scopesOf } from '../domain/client.ts';
import { Problem } from '../domain/problem.ts';
import { type Scope, scopesIn } from '../domain/scope.ts';
import type { PublicKey } from '../domain/signing-key.ts';
import { createKeyRing } from './key-ring.ts';
import { createTokenCheck } from './token-check.ts';

type Identity = { teamId: string; clientId: string };

export type VerifierOptions = {
  /** Issuer and audience of the tokens that are let in. */
  issuer: string;
  loadKeys(): Promise<readonly PublicKey[]>;
  loadClient(clientId: string): Promise<StoredClient | undefined>;
  now(): number;
};

/** Milliseconds that a client's state is trusted: a revocation is felt everywhere within thirty seconds. */
const clientTrustedFor = 20_000;
const cachedClients = 1000;

export type Verified = { teamId: string; clientId: string; scopes: ReadonlySet<Scope> };

/** Longer than any token that we issue. */
const maxAuthorizationLength = 4096;
/** RFC 6750, section 2.1, as far as our tokens go (no padding); the scheme's name is matched without regard to case. */
const bearer = /^Bearer +([\w.-]+)$/i;

/**
 * Says who calls, from the Authorization header alone. What cannot be decided is not let in: when keys or client cannot
 * be read, that error goes on to whoever asked; `identify` has been told by then whom the token names, if it is ours.
 * @throws Problem `invalid_token`.
 */
export function createVerifier({ issuer, loadKeys, loadClient, now }: VerifierOptions) {
  const claimsOf = createTokenCheck({ issuer, keyOf: createKeyRing(loadKeys, now), now });
  const clients = new LoadCache<StoredClient | undefined>(cachedClients, { maxAge: clientTrustedFor, now });

  return async (
    authorization: string | undefined,
    identify: (caller: Identity) => void = () => {},
  ): Promise<Verified> => {
    const { client_id: clientId, team_id: teamId, scope } = await claimsOf(tokenIn(authorization));
    identify({ teamId, clientId });
    const client = await clients.get(clientId, () => loadClient(clientId));
    if (!client || !isLive(client, now()) || client.team_id !== teamId) throw new Problem('invalid_token');
    return { teamId, clientId, scopes: new Set(scope === undefined ? scopesOf(client) : scopesIn(scope)) };
  };
}

function tokenIn(authorization = ''): string {
  const token = authorization.length <= maxAuthorizationLength ? bearer.exec(authorization)?.[1] : undefined;
  if (token === undefined) throw new Problem('invalid_token');
  return token;
}
