import type { FileType, TeamFile } from '../../../../lib/domain/teams/team-file.ts';
import { notFound } from '../../../../lib/domain/values/problem.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import type { ImageStore } from '../../../../lib/store/campaigns/images.ts';
import type { Database } from '../../../../lib/store/table/database.ts';
import { digestOfBytes } from '../../../../lib/store/table/digest.ts';
import { derivedTeamFileId } from '../../../../lib/store/table/ids.ts';
import { deleteTeamFile, insertTeamFile, loadTeamFile } from '../../store/campaigns/team-files.ts';

export type TeamFileService = { database: Database; images: ImageStore };

/** Stores an image for the pages of a team. If the team already has the content, returns the existing file. */
export async function keepFile(
  { database, images, now }: TeamFileService & { /** Milliseconds since the epoch. */ now(): number },
  teamId: string,
  { content, type, name }: { content: Uint8Array; type: FileType; name: string },
): Promise<TeamFile> {
  const file_id = derivedTeamFileId(teamId, digestOfBytes(content));
  const file = { file_id, team_id: teamId, type, bytes: content.length, name, inserted_at: timestamp(now()) };
  // The content is written first, so that every listed file can be read.
  await images.write(file_id, content, type);
  if (await insertTeamFile(database, file)) return file;
  return (await loadTeamFile(database, teamId, file_id)) ?? file;
}

/** @throws Problem `not_found` if the team has no such file */
export async function removeFile({ database, images }: TeamFileService, teamId: string, fileId: string): Promise<void> {
  if (!(await loadTeamFile(database, teamId, fileId))) throw notFound();
  // If this stops before the item is deleted, the file is still listed and can be removed again.
  await images.remove(fileId);
  await deleteTeamFile(database, teamId, fileId);
}
