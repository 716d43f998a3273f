import { newClient } from '../domain/client.ts';
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
  hashSecret(secret: string): string;
};

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
): Promise<IssuedCredential> {
  const { database, now, newId, newSecret, hashSecret } = dependencies;
  if (!(await loadTeam(database, teamId))) {
    throw validationFailed([{ path: '/team', message: 'there is no such team' }]);
  }
  const secret = newSecret();
  const client = newClient(newId(), teamId, hashSecret(secret), now(), {
    scopes: scopes && allScopes.filter((scope) => scopes.includes(scope)),
  });
  if (!(await insertClient(database, client)))
    throw new Problem('internal_error', undefined, { reason: 'a fresh id was taken' });
  return { client_id: client.client_id, client_secret: secret, team_id: teamId };
}
