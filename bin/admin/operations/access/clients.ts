import { hashSecret } from '../../../../lib/auth/secrets.ts';
import {
  isExpired,
  newClient,
  type StoredClient,
  withKeys,
  withNewSecret,
} from '../../../../lib/domain/access/client.ts';
import type { ClientKey } from '../../../../lib/domain/access/client-key.ts';
import { allScopes, type Scope } from '../../../../lib/domain/access/scope.ts';
import { Problem, validationFailed } from '../../../../lib/domain/values/problem.ts';
import { changeClient } from '../../../../lib/operations/access/clients.ts';
import type { Service } from '../../../../lib/operations/service.ts';
import { insertClient } from '../../../../lib/store/access/clients.ts';
import { loadTeam } from '../../../../lib/store/teams/teams.ts';

/** Optional settings of a new client: its name, and the time from which it is refused. */
export type ClientSettings = Partial<Pick<StoredClient, 'name' | 'expiry'>>;

/** A new credential. The secret is shown only once. */
export type IssuedCredential = { client_id: string; client_secret: string; team_id: string };

/**
 * Creates a client that authenticates with a secret.
 * @param scopes the scopes that its tokens may have; `null` allows every scope
 * @throws Problem `validation_failed` if there is no such team.
 */
export async function createClient(
  service: Service,
  teamId: string,
  scopes: readonly Scope[] | null = null,
  settings: ClientSettings = {},
): Promise<IssuedCredential> {
  const client_secret = service.newSecret();
  const { client_id } = await insertNew(service, teamId, hashSecret(client_secret), scopes, settings);
  return { client_id, client_secret, team_id: teamId };
}

/** Creates a client that authenticates with assertions and has no secret. The same as {@link createClient} otherwise. */
export const createKeyClient = (
  service: Service,
  teamId: string,
  keys: readonly ClientKey[],
  scopes: readonly Scope[] | null = null,
  settings: ClientSettings = {},
): Promise<Omit<IssuedCredential, 'client_secret'>> => insertNew(service, teamId, keys, scopes, settings);

async function insertNew(
  { database, now, newId }: Service,
  team_id: string,
  credential: string | readonly ClientKey[],
  scopes: readonly Scope[] | null,
  settings: ClientSettings,
): Promise<Omit<IssuedCredential, 'client_secret'>> {
  if (!(await loadTeam(database, team_id)))
    throw validationFailed([{ path: '/team', message: 'there is no such team' }]);
  const known = scopes && allScopes.filter((scope) => scopes.includes(scope));
  const client = newClient(newId(), team_id, credential, now(), { ...settings, scopes: known });
  if (!(await insertClient(database, client)))
    throw new Problem('internal_error', undefined, { reason: 'a new id already exists' });
  return { client_id: client.client_id, team_id };
}

/**
 * Gives the client a new secret. The previous secret stays valid for `secretOverlap`; older ones are no longer valid.
 * `undefined` if there is no such client.
 * @throws Problem `validation_failed` if the client is revoked or expired, or authenticates with keys.
 */
export async function rotateClient(service: Service, clientId: string): Promise<IssuedCredential | undefined> {
  const { now, newSecret } = service;
  const secret = newSecret();
  const hash = hashSecret(secret);
  const client = await changeClient(service, clientId, (current) => {
    requireLive(current, now());
    if (current.keys !== null)
      throw invalidClient('has keys instead of a secret: replace its keys with client set-keys');
    // An earlier round of this call wrote it, and the response was lost. A second time, it would replace the old secret.
    if (current.secrets.some((each) => each.hash === hash)) return current;
    return withNewSecret(current, hash, now());
  });
  return client && { client_id: client.client_id, client_secret: secret, team_id: client.team_id };
}

/**
 * Replaces the keys of a client. Assertions that are signed with the old keys are rejected from then on. `undefined` if
 * there is no such client.
 * @throws Problem `validation_failed` if the client is revoked or expired, or authenticates with a secret
 */
export const setClientKeys = (
  service: Service,
  clientId: string,
  keys: readonly ClientKey[],
): Promise<StoredClient | undefined> =>
  changeClient(service, clientId, (client) => {
    requireLive(client, service.now());
    if (client.keys === null) throw invalidClient('authenticates with a secret: create another client with --jwks');
    return withKeys(client, keys, service.now());
  });

/** @throws Problem `validation_failed` */
function requireLive(client: StoredClient, now: number): void {
  if (client.revoked_at !== null) throw invalidClient('is permanently revoked: create another client');
  if (isExpired(client, now)) throw invalidClient('has expired: create another client');
}

const invalidClient = (message: string) => validationFailed([{ path: '/client', message }]);
