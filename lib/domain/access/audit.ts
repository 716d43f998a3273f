import * as z from 'zod';

/** Ids of the objects of an act: only ids that the service created, and batch ids. No other text of a caller. */
export type AuditIds = Readonly<Record<string, string | readonly string[]>>;

export const tokenActs = ['token issued', 'token refused', 'token revoked'] as const;
export type TokenAct = (typeof tokenActs)[number];

/** One entry of the audit log (contract, section 9). */
export const auditEntrySchema = z.object({
  at: z.string(),
  /** The AWS identity or the local user of an administrator; the id of the client for tokens. */
  who: z.string(),
  /**
   * Noun and verb of the admin command, `content publish` for what the service publishes at the time that `who` has set, or
   * a {@link TokenAct}.
   */
  what: z.string(),
  team_id: z.string().nullable(),
  ids: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  /** `begun`, `done` or the code of an error. */
  outcome: z.string(),
  /** The number of equal events that the entry represents, if it is more than one. */
  count: z.int().optional(),
});

export type AuditEntry = Readonly<Omit<z.output<typeof auditEntrySchema>, 'ids'>> & { readonly ids: AuditIds };

/** An entry is written before and after each act of an administrator, so that no act is without an entry. */
export const actBegun = 'begun';
export const actDone = 'done';

/** The `who` of refusals if the caller named no existing client. */
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
