import type { AuditIds } from '../../lib/domain/audit.ts';
import { isUuid } from '../../lib/domain/uuid.ts';
import { loadStoredContent } from '../../lib/store/content.ts';
import type { Database } from '../../lib/store/database.ts';
import { loadIdentities } from '../../lib/store/identities.ts';
import { derivedAccountId, derivedProductId } from '../../lib/store/ids.ts';
import { loadErasure } from './store/erasures.ts';

/** Ids for the audit log, found by the names that an administrator uses. Ids are derived within a team. */

export async function contactIds(database: Database, team: string, uniqueId: string): Promise<AuditIds> {
  const id = isUuid(team) ? (await loadIdentities(database, team, [uniqueId])).get(uniqueId) : undefined;
  return id === undefined ? {} : { contact_id: id };
}

/** An interrupted erasure has the id of its contact: the `unique_id` may already name another id. */
export async function erasureIds(database: Database, team: string, uniqueId: string): Promise<AuditIds> {
  const erasure = isUuid(team) ? await loadErasure(database, team, uniqueId) : undefined;
  return erasure ? { contact_id: erasure.state.contact_id } : contactIds(database, team, uniqueId);
}

export const accountIds = (team: string, accountNumber: string): AuditIds =>
  isUuid(team) ? { account_id: derivedAccountId(team, accountNumber) } : {};

export const productIds = (team: string, code: string): AuditIds =>
  isUuid(team) ? { product_id: derivedProductId(team, code) } : {};

/** The current revision of the content, and its templates. */
export async function contentIds(database: Database, owner: string): Promise<AuditIds> {
  const { revision, document } = await loadStoredContent(database, owner);
  return {
    ...(revision === undefined ? {} : { content_revision: revision }),
    template_ids: document.templates.map(({ id }) => id),
  };
}
