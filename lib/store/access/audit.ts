import { type AuditEntry, auditEntrySchema, monthOf, monthsBack } from '../../domain/access/audit.ts';
import { auditExpiry } from '../../domain/teams/retention.ts';
import { type Database, pages, writeOne } from '../table/database.ts';
import { type AuditOwner, auditKey, auditPartition } from '../table/keys.ts';
import { itemReader } from '../table/stored-item.ts';

const entryOf: (item: unknown) => AuditEntry = itemReader('audit entry', auditEntrySchema);

export type AuditWrite = {
  owner: AuditOwner;
  entry: AuditEntry;
  /** Unique for each entry. */
  entryId: string;
  /** Milliseconds since the epoch. */
  now: number;
  retentionDays: number;
};

/**
 * Appends an entry. There is no update and no delete: IAM grants the functions only inserts, and an insert never
 * replaces an item.
 * @returns false if an entry with this key exists
 */
export async function appendEntry(
  database: Database,
  { owner, entry, entryId, now, retentionDays }: AuditWrite,
): Promise<boolean> {
  const key = auditKey(owner, entry.at, entryId);
  const item = { ...key, ...entry, expires_at: auditExpiry(now, retentionDays) };
  return writeOne(database, { kind: 'insert', item });
}

export type AuditRange = {
  /** Timestamps; `since` is inclusive, `until` exclusive. */
  since?: string | undefined;
  until?: string | undefined;
};

/** The entries of all these owners, newest first. Pages are read as they are needed. */
export async function* auditEntries(
  database: Database,
  owners: readonly AuditOwner[],
  { since = '', until }: AuditRange,
  now: string,
): AsyncGenerator<AuditEntry> {
  for (const month of monthsBack(until ?? now, since)) {
    const sources = owners.map((owner) => entriesOf(database, owner, month, until));
    for await (const entry of newestFirst(sources)) {
      if (entry.at < since) return;
      yield entry;
    }
  }
}

async function* entriesOf(
  database: Database,
  owner: AuditOwner,
  month: string,
  until: string | undefined,
): AsyncGenerator<AuditEntry> {
  const after = until !== undefined && monthOf(until) === month ? { after: until } : {};
  for await (const items of pages(database, { pk: auditPartition(owner, month), descending: true, ...after })) {
    yield* items.map(entryOf);
  }
}

async function* newestFirst(sources: readonly AsyncGenerator<AuditEntry>[]): AsyncGenerator<AuditEntry> {
  const heads = await Promise.all(sources.map((source) => source.next()));
  for (;;) {
    let newest = -1;
    for (const [index, head] of heads.entries()) {
      if (!head.done && (newest < 0 || head.value.at > heads[newest]!.value.at)) newest = index;
    }
    if (newest < 0) return;
    yield heads[newest]!.value;
    heads[newest] = await sources[newest]!.next();
  }
}
