import type { JsonObject } from '../../../lib/domain/json.ts';
import { isUuid } from '../../../lib/domain/uuid.ts';
import { loadRevision, loadStoredContent } from '../../../lib/store/content.ts';
import type { Database } from '../../../lib/store/database.ts';
import { globalTeam } from '../../../lib/store/keys.ts';
import { exportedDocument } from '../../content/export.ts';

/** The team's content as it is stored now, without a team the global objectives, as the import takes it. */
export async function exportContent(database: Database, teamId: string | null): Promise<JsonObject> {
  const { document } = await loadStoredContent(database, teamId ?? globalTeam);
  return exportedDocument(document);
}

/** The same of a current or earlier revision; `undefined` if it is not stored. `revision` can be any text. */
export async function exportRevision(
  database: Database,
  teamId: string | null,
  revision: string,
): Promise<JsonObject | undefined> {
  const document = isUuid(revision) && (await loadRevision(database, teamId ?? globalTeam, revision));
  return document ? exportedDocument(document) : undefined;
}
