import type { Database } from '../../lib/store/database.ts';
import { loadPublicKeys } from '../../lib/store/signing-keys.ts';

export async function ensureSigningKey(database: Database): Promise<void> {
  await loadPublicKeys(database);
}
