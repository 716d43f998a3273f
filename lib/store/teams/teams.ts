import { type Team, teamSchema } from '../../domain/teams/team.ts';
import { oldestFirst } from '../../domain/values/timestamp.ts';
import { all, type Database, readAll, readOne, writeOne } from '../table/database.ts';
import { teamKey, teamsKey, teamsPartition } from '../table/keys.ts';
import { itemReader } from '../table/stored-item.ts';

/** The team that is stored in this item. @throws InvalidStoredItem */
export const teamOf: (item: unknown) => Team = itemReader('team', teamSchema);

/** Writes the team and its entry in the list of teams. False if the id is taken. */
export const insertTeam = (database: Database, team: Team): Promise<boolean> =>
  database.transact([
    { kind: 'insert', item: { ...teamKey(team.team_id), ...team } },
    { kind: 'insert', item: { ...teamsKey(team.team_id) } },
  ]);

export const loadTeam = (database: Database, teamId: string): Promise<Team | undefined> =>
  readOne(database, teamKey(teamId), teamOf);

/** The ids of all teams. */
export const listTeamIds = async (database: Database): Promise<string[]> =>
  (await all(database, { pk: teamsPartition })).map((entry) => entry.sk);

/** Writes the rotated secret. False if the stored secret is no longer the one that was read. */
export async function saveSecret(database: Database, team: Team, before: Team): Promise<boolean> {
  const { secret, secret_id, previous_secret } = team;
  const set = { secret, secret_id, previous_secret };
  return writeOne(database, { kind: 'update', key: teamKey(team.team_id), set, expect: { secret: before.secret } });
}

/**
 * Sets these attributes of the team. An attribute that is `undefined` is not changed. False if there is no such team.
 */
export async function updateTeam(
  database: Database,
  teamId: string,
  fields: { [Name in keyof Team]?: Readonly<Team[Name]> | undefined },
): Promise<boolean> {
  const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return writeOne(database, { kind: 'update', key: teamKey(teamId), set, expect: {} });
}

/** All teams, oldest first. */
export async function listTeams(database: Database): Promise<Team[]> {
  const keys = (await listTeamIds(database)).map(teamKey);
  return oldestFirst(await readAll(database, keys, teamOf));
}
