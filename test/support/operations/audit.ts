import { type AuditEntry, tokenActs } from '../../../lib/domain/access/audit.ts';
import { EntryLimit } from '../../../lib/domain/access/audit-limit.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import type { TokenAudit } from '../../../lib/operations/access/audit.ts';
import { auditEntries } from '../../../lib/store/access/audit.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { globalTeam } from '../../../lib/store/table/keys.ts';

/** What the operations of tokens need for the audit log. */
export const tokenAudit = (onUnrecorded: TokenAudit['onUnrecorded'] = () => {}) => ({
  limit: new EntryLimit(),
  retentionDays: 30,
  onUnrecorded,
});

/** The entries of these teams, or of what belongs to no team, oldest first. */
export async function entriesOf(database: Database, ...owners: string[]): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  const teams = owners.length > 0 ? owners : [globalTeam];
  for await (const entry of auditEntries(database, teams, {}, timestamp(Date.now()))) found.push(entry);
  return found.reverse();
}

/** Those of administrators. */
export const isAct = ({ what }: AuditEntry): boolean => !(tokenActs as readonly string[]).includes(what);
