import { revokeClient } from '../../lib/operations/revoke-client.ts';
import { clearTeam } from '../../lib/operations/sandbox/clear.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { resetDependencies } from '../admin/team-reset.ts';
import type { Team } from './world.ts';

export type Cleaned = {
  team_id: string;
  deleted_items: number;
  clients_revoked: number;
  /** What could not be cleaned up, in one line each. */
  failures: string[];
};

/** Revokes the clients and deletes all data of the team. Its content and products and the audit log remain. */
export async function cleanUp({ installation, teamId, clientIds }: Team): Promise<Cleaned> {
  const cleaned: Cleaned = { team_id: teamId, deleted_items: 0, clients_revoked: 0, failures: [] };
  const dependencies = dependenciesOn(installation.database);
  const tried = async (what: string, run: () => Promise<void>) => {
    await run().catch((error: unknown) => {
      cleaned.failures.push(`${what}: ${error instanceof Error ? error.message : error}`);
    });
  };
  for (const id of clientIds) {
    await tried('a client', async () => {
      await revokeClient(dependencies, id, 'administrator');
      cleaned.clients_revoked++;
    });
  }
  await tried('the team', async () => {
    cleaned.deleted_items = await clearTeam(resetDependencies(installation), teamId);
  });
  return cleaned;
}
