import type { AuditEntry } from '../domain/audit.ts';
import { orderedTimestamps } from '../domain/timestamp.ts';
import { appendEntry } from '../store/audit.ts';
import type { Database } from '../store/database.ts';
import { globalTeam } from '../store/keys.ts';

export type AuditDependencies = {
  database: Database;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The number of days that the entry is kept. */
  retentionDays: number;
};

const timeOfEntry = orderedTimestamps();

/**
 * Writes an entry with the present time into the audit log of its team.
 * @param entryId unique; if the response to the write is lost, the retry finds the entry and changes nothing
 * @param options.owner the log to write to if the team of the entry does not exist
 */
export async function recordEntry(
  { database, now, retentionDays }: AuditDependencies,
  entry: Omit<AuditEntry, 'at'>,
  entryId: string,
  { owner = entry.team_id ?? globalTeam }: { owner?: string } = {},
): Promise<void> {
  const time = now();
  const complete = { at: timeOfEntry(time), ...entry };
  await appendEntry(database, { owner, entry: complete, entryId, now: time, retentionDays });
}
