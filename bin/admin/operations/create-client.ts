import { hashSecret } from '../../../lib/auth/secrets.ts';
import { newClient, type StoredClient } from '../../../lib/domain/client.ts';
import type { ClientKey } from '../../../lib/domain/client-key.ts';
import { Problem, validationFailed } from '../../../lib/domain/problem.ts';
import { allScopes, type Scope } from '../../../lib/domain/scope.ts';
import { insertClient } from '../../../lib/store/clients.ts';
import type { Database } from '../../../lib/store/database.ts';
import { loadTeam } from '../../../lib/store/teams.ts';

export type ClientDependencies = {
  database: Database;
  now(): number;
  newId(): string;
  newSecret(): string;
};

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
  dependencies: ClientDependencies,
  teamId: string,
  scopes: readonly Scope[] | null = null,
  settings: ClientSettings = {},
): Promise<IssuedCredential> {
  const secret = dependencies.newSecret();
  const clientId = await insertNew(dependencies, teamId, hashSecret(secret), scopes, settings);
  return { client_id: clientId, client_secret: secret, team_id: teamId };
}

/**
 * Creates a client that authenticates with assertions and has no secret.
 * @throws Problem `validation_failed` if there is no such team.
 */
export async function createKeyClient(
  dependencies: InsertDependencies,
  teamId: string,
  keys: readonly ClientKey[],
  scopes: readonly Scope[] | null = null,
  settings: ClientSettings = {},
): Promise<Omit<IssuedCredential, 'client_secret'>> {
  return { client_id: await insertNew(dependencies, teamId, keys, scopes, settings), team_id: teamId };
}

type InsertDependencies = Pick<ClientDependencies, 'database' | 'now' | 'newId'>;

async function insertNew(
  { database, now, newId }: InsertDependencies,
  teamId: string,
  credential: string | readonly ClientKey[],
  scopes: readonly Scope[] | null,
  settings: ClientSettings,
): Promise<string> {
  if (!(await loadTeam(database, teamId))) {
    throw validationFailed([{ path: '/team', message: 'there is no such team' }]);
  }
  const client = newClient(newId(), teamId, credential, now(), {
    ...settings,
    scopes: scopes && allScopes.filter((scope) => scopes.includes(scope)),
  });
  if (!(await insertClient(database, client)))
    throw new Problem('internal_error', undefined, { reason: 'a new id already exists' });
  return client.client_id;
}
