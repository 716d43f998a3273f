import { randomUUID } from 'node:crypto';
import { importContent } from '../../bin/admin/operations/campaigns/content.ts';
import type { JsonValue } from '../../lib/domain/values/json.ts';
import type { Database } from '../../lib/store/table/database.ts';

/** Imports campaign content as the admin command does; without a team, global objectives. */
export const putContent = (database: Database, teamId: string | null, document: object) =>
  importContent(
    { database, now: Date.now, newId: () => randomUUID(), pause: async () => {}, fits: () => true },
    teamId,
    document as unknown as JsonValue,
  );
