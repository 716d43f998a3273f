import type { OwnWords } from '../../../lib/domain/content/values.ts';
import { notFound, Problem } from '../../../lib/domain/problem.ts';
import { sandboxIdOf } from '../../../lib/domain/sandbox.ts';
import { type Team, type TeamFeature, withNewSecret } from '../../../lib/domain/team.ts';
import { timestamp } from '../../../lib/domain/timestamp.ts';
import type { Service } from '../../../lib/operations/service.ts';
import { insertTeam, loadTeam, saveSecret, updateTeam as saveTeam } from '../../../lib/store/teams.ts';

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
  { database, now, newId, newSecret }: Pick<Service, 'database' | 'now' | 'newId' | 'newSecret'>,
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
  { database, now }: Pick<Service, 'database' | 'now'>,
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

/**
 * Gives the team a new secret. Values that were encrypted with the previous secret can be decrypted until the next rotation.
 * @returns `undefined` if another rotation was first; then this one changed nothing
 * @throws Problem `not_found`
 */
export async function rotateTeamSecret(
  { database, newSecret }: Pick<Service, 'database' | 'newSecret'>,
  teamId: string,
): Promise<Team | undefined> {
  const before = await loadTeam(database, teamId);
  if (!before) throw notFound();
  const team = withNewSecret(before, newSecret());
  return (await saveSecret(database, team, before)) ? team : undefined;
}
