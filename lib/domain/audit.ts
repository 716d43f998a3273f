import * as z from 'zod';

/** Ids of the objects that an act is about. Only ids that the service made, and batch ids: no other text of a caller. */
export type AuditIds = Readonly<Record<string, string | readonly string[]>>;

export const tokenActs = ['token issued', 'token refused', 'token revoked'] as const;
export type TokenAct = (typeof tokenActs)[number];

/** One entry of the audit log (contract, section 9). */
export const auditEntrySchema = z.object({
  at: z.string(),
  /** The AWS identity or the local user of an administrator; the id of the client for tokens. */
  who: z.string(),
  /** Noun and verb of the admin command, or a {@link TokenAct}. */
  what: z.string(),
  team_id: z.string().nullable(),
  ids: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  /** `begun`, `done` or the code of an error. */
  outcome: z.string(),
  /** How many equal events the entry stands for, where it is more than one. */
  count: z.int().optional(),
});

export type AuditEntry = Readonly<Omit<z.output<typeof auditEntrySchema>, 'ids'>> & { readonly ids: AuditIds };

/** The act of an administrator has an entry before it and one after it, so that no act is without an entry. */
export const actBegun = 'begun';
export const actDone = 'done';

/** The `who` of refusals to callers that named no client of ours. */
export const unknownClient = 'unknown';

/** No entry is older than this: the log was introduced in this month. */
const firstMonth = '2026-01';

export const monthOf = (at: string): string => at.slice(0, 7);

/** The months from the one of `until` back to the one of `since`, newest first. */
export function monthsBack(until: string, since = ''): string[] {
  const first = monthOf(since) > firstMonth ? monthOf(since) : firstMonth;
  const months: string[] = [];
  for (let month = monthOf(until); month >= first; month = monthBefore(month)) months.push(month);
  return months;
}

function monthBefore(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7);
}
