import { notFound } from '../../../lib/domain/problem.ts';
import { type Team, withNewSecret } from '../../../lib/domain/team.ts';
import type { Database } from '../../../lib/store/database.ts';
import { loadTeam, saveSecret } from '../../../lib/store/teams.ts';

/**
 * Gives the team a new secret. Values that were sealed with the previous secret can be opened until the next rotation.
 * @returns `undefined` if another rotation was first; then this one changed nothing
 * @throws Problem `not_found`
 */
export async function rotateTeamSecret(
  { database, newSecret }: { database: Database; newSecret(): string },
  teamId: string,
): Promise<Team | undefined> {
  const before = await loadTeam(database, teamId);
  if (!before) throw notFound();
  const team = withNewSecret(before, newSecret());
  return (await saveSecret(database, team, before)) ? team : undefined;
}
