import * as z from 'zod';
import { timestamp } from '../values/timestamp.ts';
import { uuid } from '../values/uuid.ts';
import { type ClientKey, clientKeySchema } from './client-key.ts';
import { allScopes, type Scope, scopeSchema } from './scope.ts';

/** `hash` is the SHA-256 of a client secret, in base64url. `expires_at` is `null` if the secret does not expire. */
const secretSchema = z.object({ hash: z.string(), inserted_at: z.string(), expires_at: z.string().nullable() });

/** A stored client. Its secrets are shown once and stored only as hashes. */
export const clientSchema = z.object({
  client_id: uuid(),
  team_id: uuid(),
  /** Newest first, at most two. Empty for a client with keys. */
  secrets: z.array(secretSchema),
  /** Public keys for authentication without a secret; `null` for a client with secrets. */
  keys: z.array(clientKeySchema).nullable(),
  /** The scopes that its tokens may have. `null` means all scopes. */
  scopes: z.array(scopeSchema).nullable(),
  /** The name that administrators gave it. */
  name: z.string().nullable(),
  /** The time from which it is refused. Not called `expires_at`, which is the table's attribute for deletion. */
  expiry: z.string().nullable(),
  /** The day of its last token (UTC); absent before the first token. Written without a new version. */
  last_used_on: z.string().optional(),
  revoked_at: z.string().nullable(),
  revoked_by: z.enum(['administrator', 'query_string']).nullable(),
  inserted_at: z.string(),
  updated_at: z.string(),
  version: z.number().int(),
});

export type StoredClient = z.output<typeof clientSchema>;
export type RevokedBy = NonNullable<StoredClient['revoked_by']>;

/** Everything that the URL of a request may have exposed, each value once. A secret or assertion can be wrong. */
export type ExposedCredentials = {
  clientIds: readonly string[];
  secrets: readonly string[];
  assertions: readonly string[];
};

/** Milliseconds that the old secret is still accepted after a rotation: the time to deploy the new one. */
export const secretOverlap = 7 * 24 * 3600 * 1000;

/** @param credential the hash of the secret, or the public keys */
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

/** Adds a secret. Of the old secrets, only the newest is kept, and it expires after {@link secretOverlap}. */
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

/** Replaces the keys. */
export const withKeys = (client: StoredClient, keys: readonly ClientKey[], now: number): StoredClient => ({
  ...client,
  keys: [...keys],
  updated_at: timestamp(now),
  version: client.version + 1,
});

/** Revokes the client permanently. A repeat keeps the time and reason of the first revocation. */
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

/** The whole seconds that a token of the client is valid. A token does not outlive the client. */
export const tokenLifetime = (client: StoredClient, seconds: number, now: number): number =>
  Math.min(seconds, Math.floor(timeLeft(client, now) / 1000));

/** The scopes that tokens of the client may have. */
export const scopesOf = ({ scopes }: StoredClient): readonly Scope[] => scopes ?? allScopes;

/** Hashes of the secrets that are accepted now. */
export const liveSecretHashes = (client: StoredClient, now: number): string[] =>
  client.secrets
    .filter((each) => each.expires_at === null || Date.parse(each.expires_at) > now)
    .map((each) => each.hash);
