import { createTeam } from '../../bin/admin/operations/teams.ts';
import { newSecret } from '../../lib/auth/secrets.ts';
import type { Database } from '../../lib/store/database.ts';

/** A new team, for tests without a service. @returns its id */
export async function newTeam(database: Database): Promise<string> {
  const dependencies = { database, now: Date.now, newId: () => crypto.randomUUID(), newSecret };
  return (await createTeam(dependencies, { name: 'Test', features: [] })).team_id;
}
