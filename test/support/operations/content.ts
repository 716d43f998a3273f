import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { importContent } from '../../../lib/operations/publishing/import-content.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { serviceOn } from './operations.ts';

/** Imports campaign content as the admin command does; without a team, global objectives. */
export const putContent = (database: Database, teamId: string | null, document: object) =>
  importContent(
    { ...serviceOn(database, { pause: async () => {} }), fits: () => true },
    teamId,
    document as unknown as JsonValue,
  );
