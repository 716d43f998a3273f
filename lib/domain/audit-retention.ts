/** Ten years, which supervisors usually require of a bank. */
export const defaultAuditRetentionDays = 3650;

export const maxAuditRetentionDays = 36_500;

/** The setting as the number of days that entries of the audit log are kept; `undefined` if it is invalid. */
export function auditRetentionOf(text: string): number | undefined {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return days >= 1 && days <= maxAuditRetentionDays ? days : undefined;
}

/** Unix seconds at which an entry expires. */
export const auditExpiry = (now: number, retentionDays: number): number =>
  Math.floor(now / 1000) + retentionDays * 24 * 3600;
