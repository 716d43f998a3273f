import { exportedDocument } from '../domain/content/export.ts';
import type { JsonObject } from '../domain/json.ts';
import { loadStoredContent } from '../store/content.ts';
import type { Database } from '../store/database.ts';
import { globalTeam } from '../store/keys.ts';

/** The team's content as it is stored now, without a team the global objectives, as the import takes it. */
export async function exportContent(database: Database, teamId: string | null): Promise<JsonObject> {
  const { document } = await loadStoredContent(database, teamId ?? globalTeam);
  return exportedDocument(document);
}
