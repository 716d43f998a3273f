import { Problem } from '../../../lib/domain/problem.ts';
import { sandboxIdOf } from '../../../lib/domain/sandbox.ts';
import type { Team, TeamFeature } from '../../../lib/domain/team.ts';
import { timestamp } from '../../../lib/domain/timestamp.ts';
import type { Database } from '../../../lib/store/database.ts';
import { insertTeam } from '../../../lib/store/teams.ts';

export type TeamDependencies = { database: Database; now(): number; newId(): string; newSecret(): string };

export type NewTeam = {
  name: string;
  features: readonly TeamFeature[];
  /** URLs that the team's pages link to. */
  privacyPolicyUrl?: string | null | undefined;
  termsOfServiceUrl?: string | null | undefined;
  /** Language of the pages' own words, as a canonical BCP 47 tag. */
  language?: string | null | undefined;
  /** IANA name of the time zone of dates on pages. */
  timezone?: string | null | undefined;
  /** True for a team for tests, which can be reset. */
  sandbox?: boolean | undefined;
};

export async function createTeam(
  { database, now, newId, newSecret }: TeamDependencies,
  { name, features, privacyPolicyUrl = null, termsOfServiceUrl = null, language = null, ...more }: NewTeam,
): Promise<Team> {
  const { timezone = null, sandbox = false } = more;
  const at = timestamp(now());
  const team: Team = {
    team_id: sandbox ? sandboxIdOf(newId()) : newId(),
    name,
    features: [...new Set(features)],
    secret: newSecret(),
    secret_id: 1,
    previous_secret: null,
    privacy_policy_url: privacyPolicyUrl,
    terms_of_service_url: termsOfServiceUrl,
    language,
    timezone,
    words: null,
    inserted_at: at,
    updated_at: at,
  };
  if (!(await insertTeam(database, team)))
    throw new Problem('internal_error', undefined, { reason: 'a new id already exists' });
  return team;
}
