import { createClient } from '../../bin/admin/operations/access/clients.ts';
import { createTeam } from '../../bin/admin/operations/teams/teams.ts';
import { newSecret } from '../../lib/auth/secrets.ts';
import type { TeamFeature } from '../../lib/domain/teams/team.ts';
import type { Database } from '../../lib/store/table/database.ts';

export type Credential = { clientId: string; clientSecret: string };

const dependenciesOn = (database: Database) => ({
  ...{ database, now: Date.now, newId: () => crypto.randomUUID(), newSecret },
});

/** A new team, for tests without a service. @returns its id */
export async function newTeam(database: Database, features: readonly TeamFeature[] = []): Promise<string> {
  return (await createTeam(dependenciesOn(database), { name: 'Test', features: [...features] })).team_id;
}

/** A new client of a team. */
export async function newCredential(database: Database, teamId: string): Promise<Credential> {
  const { client_id: clientId, client_secret: clientSecret } = await createClient(dependenciesOn(database), teamId);
  return { clientId, clientSecret };
}
