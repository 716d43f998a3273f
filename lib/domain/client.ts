import * as z from 'zod';
import { type ClientKey, clientKeySchema } from './client-key.ts';
import { allScopes, type Scope, scopeSchema } from './scope.ts';
import { timestamp } from './timestamp.ts';
import { uuid } from './uuid.ts';

/** SHA-256 of a client secret, in base64url, and until when it is accepted (`null`: as long as the client is). */
const secretSchema = z.object({ hash: z.string(), inserted_at: z.string(), expires_at: z.string().nullable() });

/** A credential of a team, as stored. The secrets themselves are shown once and kept nowhere. */
export const clientSchema = z.object({
  client_id: uuid(),
  team_id: uuid(),
  /** Newest first, two at most; none for a client that has keys. */
  secrets: z.array(secretSchema),
  /** What it authenticates with instead of a secret; `null` for a client that has secrets. */
  keys: z.array(clientKeySchema).nullable().default(null),
  /** What its tokens may hold at most; `null` is every scope that there is, and what clients from before scopes have. */
  scopes: z.array(scopeSchema).nullable().default(null),
  revoked_at: z.string().nullable(),
  revoked_by: z.enum(['administrator', 'query_string']).nullable(),
  inserted_at: z.string(),
  updated_at: z.string(),
  version: z.number().int(),
});

export type StoredClient = z.output<typeof clientSchema>;
export type RevokedBy = NonNullable<StoredClient['revoked_by']>;

/** Milliseconds that the old secret is still accepted after a rotation: the time to bring the new one into use. */
export const secretOverlap = 7 * 24 * 3600 * 1000;

/** @param credential the hash of its secret, or its public keys */
export function newClient(
  clientId: string,
  teamId: string,
  credential: string | readonly ClientKey[],
  now: number,
  { scopes = null }: Partial<Pick<StoredClient, 'scopes'>> = {},
): StoredClient {
  const at = timestamp(now);
  return {
    client_id: clientId,
    team_id: teamId,
    ...(typeof credential === 'string'
      ? { secrets: [{ hash: credential, inserted_at: at, expires_at: null }], keys: null }
      : { secrets: [], keys: [...credential] }),
    scopes,
    revoked_at: null,
    revoked_by: null,
    inserted_at: at,
    updated_at: at,
    version: 1,
  };
}

/** The client with one more secret. Only the newest of the old ones goes on, and only for {@link secretOverlap}. */
export function withNewSecret(client: StoredClient, secretHash: string, now: number): StoredClient {
  const [previous] = client.secrets;
  const kept = previous ? [{ ...previous, expires_at: timestamp(now + secretOverlap) }] : [];
  return {
    ...client,
    secrets: [{ hash: secretHash, inserted_at: timestamp(now), expires_at: null }, ...kept],
    updated_at: timestamp(now),
    version: client.version + 1,
  };
}

/** The client with these keys and no others. */
export const withKeys = (client: StoredClient, keys: readonly ClientKey[], now: number): StoredClient => ({
  ...client,
  keys: [...keys],
  updated_at: timestamp(now),
  version: client.version + 1,
});

/** The client, never to be let in again. The first revocation stands. */
export function revoked(client: StoredClient, by: RevokedBy, now: number): StoredClient {
  if (client.revoked_at !== null) return client;
  const at = timestamp(now);
  return { ...client, revoked_at: at, revoked_by: by, updated_at: at, version: client.version + 1 };
}

/** The scopes that the client's tokens may hold. */
export const scopesOf = ({ scopes }: StoredClient): readonly Scope[] => scopes ?? allScopes;

/** Hashes of the secrets that the client may use now. */
export const liveSecretHashes = (client: StoredClient, now: number): string[] =>
  client.secrets
    .filter((each) => each.expires_at === null || Date.parse(each.expires_at) > now)
    .map((each) => each.hash);
