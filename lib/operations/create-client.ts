import { hashSecret } from '../auth/secrets.ts';
import { newClient, type StoredClient } from '../domain/client.ts';
import type { ClientKey } from '../domain/client-key.ts';
import { Problem, validationFailed } from '../domain/problem.ts';
import { allScopes, type Scope } from '../domain/scope.ts';
import { insertClient } from '../store/clients.ts';
import type { Database } from '../store/database.ts';
import { loadTeam } from '../store/teams.ts';

export type ClientDependencies = {
  database: Database;
  now(): number;
  newId(): string;
  newSecret(): string;
};

/** What an administrator may say of a new client: its name, and from when on it is refused. */
export type ClientSettings = Partial<Pick<StoredClient, 'name' | 'expiry'>>;

/** What a new secret is shown with, this once. */
export type IssuedCredential = { client_id: string; client_secret: string; team_id: string };

/**
 * @param scopes what its tokens may hold at most; `null` is every scope
 * @throws Problem `validation_failed` when there is no such team.
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
 * A client that authenticates by assertions and has no secret.
 * @throws Problem `validation_failed` when there is no such team.
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
    throw new Problem('internal_error', undefined, { reason: 'a fresh id was taken' });
  return client.client_id;
}
