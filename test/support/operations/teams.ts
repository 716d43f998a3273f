import { createClient } from '../../../bin/admin/operations/access/clients.ts';
import { createTeam } from '../../../bin/admin/operations/teams/teams.ts';
import type { TeamFeature } from '../../../lib/domain/teams/team.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { serviceOn } from './operations.ts';

export type Credential = { clientId: string; clientSecret: string };

/** A new team, for tests without a service. @returns its id */
export async function newTeam(database: Database, features: readonly TeamFeature[] = []): Promise<string> {
  return (await createTeam(serviceOn(database), { name: 'Test', features: [...features] })).team_id;
}

/** A new client of a team. */
export async function newCredential(database: Database, teamId: string): Promise<Credential> {
  const { client_id: clientId, client_secret: clientSecret } = await createClient(serviceOn(database), teamId);
  return { clientId, clientSecret };
}
