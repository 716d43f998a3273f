import { type TeamFile, teamFileSchema } from '../../../../lib/domain/teams/team-file.ts';
import { oldestFirst } from '../../../../lib/domain/values/timestamp.ts';
import { all, type Database, readOne, writeOne } from '../../../../lib/store/table/database.ts';
import { teamFileKey, teamFilePrefix, teamPartition } from '../../../../lib/store/table/keys.ts';
import { itemReader } from '../../../../lib/store/table/stored-item.ts';

const fileOf: (item: unknown) => TeamFile = itemReader('file', teamFileSchema);

/** False if the team has the file already. */
export async function insertTeamFile(database: Database, file: TeamFile): Promise<boolean> {
  const item = { ...teamFileKey(file.team_id, file.file_id), ...file };
  return writeOne(database, { kind: 'insert', item });
}

export const loadTeamFile = (database: Database, teamId: string, fileId: string) =>
  readOne(database, teamFileKey(teamId, fileId), fileOf);

/** The team's files, oldest first. */
export async function listTeamFiles(database: Database, teamId: string): Promise<TeamFile[]> {
  const items = await all(database, { pk: teamPartition(teamId), prefix: teamFilePrefix });
  return oldestFirst(items.map(fileOf));
}

/** False if there is no such file. */
export const deleteTeamFile = (database: Database, teamId: string, fileId: string): Promise<boolean> =>
  database.transact([{ kind: 'delete', key: teamFileKey(teamId, fileId), expect: { file_id: fileId } }]);
