import { noState } from '../../../../lib/domain/messages/pause.ts';
import { sandboxIdOf } from '../../../../lib/domain/teams/sandbox.ts';
import { defaultQuietHours, type Team, type TeamFeature, withNewSecret } from '../../../../lib/domain/teams/team.ts';
import { notFound, Problem } from '../../../../lib/domain/values/problem.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import type { Service, Settings } from '../../../../lib/operations/service.ts';
import { messageStateWrite } from '../../../../lib/store/messages/state.ts';
import { writeOne } from '../../../../lib/store/table/database.ts';
import { insertTeam, loadTeam, saveSecret, updateTeam as saveTeam } from '../../../../lib/store/teams/teams.ts';

/** What an administrator can say about the messages of a team. */
type MessageSetting =
  | 'senders'
  | 'postal_address'
  | 'quiet_hours'
  | 'max_messages_a_week'
  | 'messages_a_second'
  | 'verify_email'
  | 'has_earlier_leavings';

/** Teams of the local service send into its outbox without further settings. The domains are those of the examples. */
export const localMessages = {
  senders: ['welcome@cedarvalley.example', '@cedarvalley.example', '@example.com'],
  postal_address: '100 Cedar Street, Cedar Valley, IA 50613, USA',
  has_earlier_leavings: true,
} satisfies Partial<Team>;

export type NewTeam = { name: string; features: readonly TeamFeature[] } & Partial<
  Pick<Team, 'privacy_policy_url' | 'terms_of_service_url' | 'language' | 'timezone' | MessageSetting>
> & {
    /** True for a team for tests, which can be reset. */
    sandbox?: boolean | undefined;
  };

export async function createTeam(
  { database, now, newId, newSecret, eventEpoch = '' }: Service & Partial<Pick<Settings, 'eventEpoch'>>,
  { sandbox = false, features, ...given }: NewTeam,
): Promise<Team> {
  const at = timestamp(now());
  const team: Team = {
    ...{ privacy_policy_url: null, terms_of_service_url: null, language: null, timezone: null, words: null },
    ...{ max_starts_a_day: null, senders: [], postal_address: null, quiet_hours: defaultQuietHours },
    ...{ max_messages_a_week: 3, messages_a_second: 10, verify_email: false, has_earlier_leavings: false },
    content_approval: false,
    ...given,
    team_id: sandbox ? sandboxIdOf(newId()) : newId(),
    features: [...new Set(features)],
    ...{ secret: newSecret(), secret_id: 1, previous_secret: null, inserted_at: at, updated_at: at },
  };
  if (!(await insertTeam(database, team)))
    throw new Problem('internal_error', undefined, { reason: 'a new id already exists' });
  // The messages of other teams are paused if the table was restored. This one had none before.
  if (eventEpoch !== '') {
    await writeOne(database, messageStateWrite(team.team_id, { ...noState, epoch: eventEpoch }, 0));
  }
  return team;
}

type Changeable =
  | 'name'
  | 'features'
  | 'privacy_policy_url'
  | 'terms_of_service_url'
  | 'timezone'
  | 'words'
  | 'max_starts_a_day'
  | 'content_approval'
  | MessageSetting;
/** What an administrator can change about a team. An absent field keeps its value; `null` clears it. */
export type TeamChange = { [Name in Changeable]?: Readonly<Team[Name]> | undefined };

/** @throws Problem `not_found` when there is no such team. */
export async function updateTeam({ database, now }: Service, teamId: string, change: TeamChange): Promise<Team> {
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
export async function rotateTeamSecret({ database, newSecret }: Service, teamId: string): Promise<Team | undefined> {
  const before = await loadTeam(database, teamId);
  if (!before) throw notFound();
  const team = withNewSecret(before, newSecret());
  return (await saveSecret(database, team, before)) ? team : undefined;
}
