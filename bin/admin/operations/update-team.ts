import type { OwnWords } from '../../../lib/domain/content/values.ts';
import { notFound } from '../../../lib/domain/problem.ts';
import type { Team, TeamFeature } from '../../../lib/domain/team.ts';
import { timestamp } from '../../../lib/domain/timestamp.ts';
import type { Database } from '../../../lib/store/database.ts';
import { loadTeam, updateTeam as saveTeam } from '../../../lib/store/teams.ts';

/** What an administrator can change about a team. An absent field keeps its value; `null` clears it. */
export type TeamChange = {
  name?: string | undefined;
  features?: readonly TeamFeature[] | undefined;
  privacy_policy_url?: string | null | undefined;
  terms_of_service_url?: string | null | undefined;
  timezone?: string | null | undefined;
  words?: OwnWords | null | undefined;
};

/** @throws Problem `not_found` when there is no such team. */
export async function updateTeam(
  { database, now }: { database: Database; now(): number },
  teamId: string,
  change: TeamChange,
): Promise<Team> {
  const { features, ...fields } = change;
  const set = { ...fields, ...(features ? { features: [...new Set(features)] } : {}), updated_at: timestamp(now()) };
  const isUpdated = await saveTeam(database, teamId, set);
  const team = isUpdated ? await loadTeam(database, teamId) : undefined;
  if (!team) throw notFound();
  return team;
}
