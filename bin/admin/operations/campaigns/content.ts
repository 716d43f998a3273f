import type { StoredDocument } from '../../../../lib/domain/campaigns/document.ts';
import { isUuid } from '../../../../lib/domain/values/uuid.ts';
import { loadRevision, loadStoredContent } from '../../../../lib/store/campaigns/content.ts';
import type { Database } from '../../../../lib/store/table/database.ts';
import { globalTeam } from '../../../../lib/store/table/keys.ts';

/**
 * The team's content, without a team the global objectives: as it is stored now, or of an earlier revision. `undefined`
 * if the revision is not stored; it can be any text.
 */
export async function contentToExport(
  database: Database,
  teamId: string | null,
  revision?: string,
): Promise<StoredDocument | undefined> {
  const owner = teamId ?? globalTeam;
  if (revision === undefined) return (await loadStoredContent(database, owner)).document;
  return isUuid(revision) ? loadRevision(database, owner, revision) : undefined;
}
