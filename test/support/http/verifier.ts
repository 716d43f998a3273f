import { type KeyPair, newKeyPair, signToken } from '../../../lib/auth/tokens.ts';
import { createVerifier } from '../../../lib/auth/verifier.ts';
import { newClient, type StoredClient } from '../../../lib/domain/access/client.ts';
import type { PublicKey } from '../../../lib/domain/access/signing-key.ts';
import { Problem } from '../../../lib/domain/values/problem.ts';
import { StoreUnavailable } from '../../../lib/store/table/database.ts';

export const issuer = 'https://api.example.com';
export const start = Date.parse('2026-03-01T12:00:00Z');
export const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000);
export const clientId = '8a6e0804-2bd0-4672-b79d-d97027f9071a';
export const teamId = 'c56a4180-65aa-42ec-a945-5fd21dec0538';

export const pair: KeyPair = await newKeyPair();

export const published = ({ kid, publicJwk }: KeyPair, neededUntil?: number): PublicKey => ({
  kid,
  jwk: publicJwk,
  published_at: 0,
  usable_from: 0,
  rotation_id: 'one',
  ...(neededUntil === undefined ? {} : { needed_until: neededUntil }),
});

export const claims = (changes: Record<string, unknown> = {}) => ({
  iss: issuer,
  aud: issuer,
  sub: clientId,
  client_id: clientId,
  team_id: teamId,
  iat: seconds(start),
  exp: seconds(start) + 3600,
  jti: 'f47ac10b',
  ...changes,
});

export const tokenOf = (changes?: Record<string, unknown>, by: KeyPair = pair) =>
  signToken(claims(changes), { kid: by.kid, jwk: by.privateJwk, usable_from: 0 });

/** A verifier whose clock and store the test controls, and which counts its reads. */
export function world() {
  const state = {
    now: start,
    keys: [published(pair)],
    client: newClient(clientId, teamId, 'hash', start) as StoredClient | undefined,
    keysAway: false,
    clientsAway: false,
    keyReads: 0,
    clientReads: 0,
  };
  const reached = <T>(away: boolean, value: T): T => {
    if (away) throw new StoreUnavailable('away');
    return value;
  };
  const verify = createVerifier({
    issuer,
    now: () => state.now,
    loadKeys: async () => {
      state.keyReads++;
      return reached(state.keysAway, state.keys);
    },
    loadClient: async (id) => {
      state.clientReads++;
      return reached(state.clientsAway, id === clientId ? state.client : undefined);
    },
  });
  const outcome = (authorization: string | undefined) =>
    verify(authorization).then(
      () => 'let in',
      (error: unknown) => (error instanceof Problem ? error.code : `${error}`),
    );
  return { state, verify, outcome };
}
