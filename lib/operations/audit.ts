import type { AuditEntry } from '../domain/audit.ts';
import { timestamp } from '../domain/timestamp.ts';
import { appendEntry } from '../store/audit.ts';
import type { Database } from '../store/database.ts';
import { globalTeam } from '../store/keys.ts';

export type AuditDependencies = {
  database: Database;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Days that the entry is kept. */
  retentionDays: number;
};

/**
 * Writes an entry of the audit log, with the time of now, into the log of its team.
 * @param entryId unique: where the response to the write was lost, the repeat finds the entry and changes nothing
 * @param options.owner another log than that of the entry's team: where there is no such team
 */
export async function recordEntry(
  { database, now, retentionDays }: AuditDependencies,
  entry: Omit<AuditEntry, 'at'>,
  entryId: string,
  { owner = entry.team_id ?? globalTeam }: { owner?: string } = {},
): Promise<void> {
  const time = now();
  const complete = { at: timestamp(time), ...entry };
  await appendEntry(database, { owner, entry: complete, entryId, now: time, retentionDays });
}
