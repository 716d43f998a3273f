import type { Database } from '../../lib/store/database.ts';
import { loadTeam } from '../../lib/store/teams.ts';
import { AdminFailure } from './failure.ts';

/** @throws AdminFailure `not_found` */
export async function requireTeam(database: Database, team: string): Promise<void> {
  if (await loadTeam(database, team)) return;
  throw new AdminFailure('not_found', [{ path: '--team', message: 'there is no team with this id' }]);
}
