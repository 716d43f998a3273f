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

/**
 * How long each class of data is kept, in one place. The environment variables of the functions and the settings of the
 * deployment have these defaults.
 */
export const retentionDefaults = {
  audit: defaultAuditRetentionDays,
  payloads: 30,
  events: 30,
  droppedFiles: 30,
  deletedImages: 30,
  logs: 90,
  accessLog: 365,
  bucketAccessLogs: 90,
  backups: 35,
} as const;

export type Retention = Record<keyof typeof retentionDefaults, number>;

/**
 * Days that the records of accepted chunks are kept. At least: a backlog or an outage may last so long, and an expired
 * chunk cannot be applied. At most: an erasure searches the chunks of so many days.
 */
export const payloadDays = { min: 7, max: 30 } as const;

/** The setting as the number of days that payloads are kept; `undefined` if it is invalid. */
export function payloadDaysOf(text: string): number | undefined {
  const days = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return days >= payloadDays.min && days <= payloadDays.max ? days : undefined;
}

/** Days that the service keeps items and objects whose time is fixed. */
export const fixedDays = { dropStates: 60, work: 15 } as const;
