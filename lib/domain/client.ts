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
  /** What administrators call it. */
  name: z.string().nullable().default(null),
  /** From when on it is refused. Not called `expires_at`, which is the table's attribute for deletion. */
  expiry: z.string().nullable().default(null),
  /** The day of its last token (UTC); absent before the first. Written beside the rest, without a new version. */
  last_used_on: z.string().optional(),
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
  { scopes = null, name = null, expiry = null }: Partial<Pick<StoredClient, 'scopes' | 'name' | 'expiry'>> = {},
): StoredClient {
  const at = timestamp(now);
  return {
    client_id: clientId,
    team_id: teamId,
    ...(typeof credential === 'string'
      ? { secrets: [{ hash: credential, inserted_at: at, expires_at: null }], keys: null }
      : { secrets: [], keys: [...credential] }),
    scopes,
    name,
    expiry,
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

/** Milliseconds from now until the client expires. */
const timeLeft = ({ expiry }: StoredClient, now: number): number =>
  expiry === null ? Number.POSITIVE_INFINITY : Date.parse(expiry) - now;

export const isExpired = (client: StoredClient, now: number): boolean => timeLeft(client, now) <= 0;

/** Whether the client may get and use tokens: it is neither revoked nor expired. */
export const isLive = (client: StoredClient, now: number): boolean =>
  client.revoked_at === null && !isExpired(client, now);

/** Whole seconds that a token of the client is valid for: not longer than the client itself. */
export const tokenLifetime = (client: StoredClient, seconds: number, now: number): number =>
  Math.min(seconds, Math.floor(timeLeft(client, now) / 1000));

/** The scopes that the client's tokens may hold. */
export const scopesOf = ({ scopes }: StoredClient): readonly Scope[] => scopes ?? allScopes;

/** Hashes of the secrets that the client may use now. */
export const liveSecretHashes = (client: StoredClient, now: number): string[] =>
  client.secrets
    .filter((each) => each.expires_at === null || Date.parse(each.expires_at) > now)
    .map((each) => each.hash);
