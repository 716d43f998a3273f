import type { ProblemCode } from './problem.ts';

/**
 * Sandbox teams: teams for tests, which an administrator can reset. The id of the team says that it is one (UUID version
 * 8, which no other team has), so magic values cost no read, and neither kind of team can become the other.
 */
const versionAt = 14;
const sandboxVersion = '8';

export const isSandbox = (teamId: string): boolean => teamId[versionAt] === sandboxVersion;

/** The id of a new sandbox team, from a random UUID. */
export const sandboxIdOf = (id: string): string => id.slice(0, versionAt) + sandboxVersion + id.slice(versionAt + 1);

/** A proof of identity of a contact with this `email` always fails, or is always locked. */
export const magicEmails = {
  'identity-fails@sandbox.example': 'fails',
  'identity-locked@sandbox.example': 'locked',
} as const;

/** A request that upserts a contact with this `unique_id` always gets this error. Nothing is stored. */
export const magicUniqueIds = {
  'sandbox-throttled': 'too_many_requests',
  'sandbox-unavailable': 'unavailable',
  'sandbox-internal-error': 'internal_error',
} as const satisfies Record<string, ProblemCode>;

/** Every chunk of a batch whose id begins with this fails when it is applied, also when it is redriven. */
export const magicBatchPrefix = 'sandbox-fails';

const valueIn = <Value>(table: Readonly<Record<string, Value>>, key: string | null | undefined): Value | undefined =>
  typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;

export const magicIdentity = (teamId: string, { email }: { email: string | null }): 'fails' | 'locked' | undefined =>
  isSandbox(teamId) ? valueIn(magicEmails, email?.toLowerCase()) : undefined;

export const magicProblem = (teamId: string, uniqueIds: readonly string[]): ProblemCode | undefined =>
  isSandbox(teamId)
    ? uniqueIds.map((uniqueId) => valueIn<ProblemCode>(magicUniqueIds, uniqueId)).find((code) => code !== undefined)
    : undefined;

export const alwaysFails = ({ team_id, batch_id }: { team_id: string; batch_id: string }): boolean =>
  isSandbox(team_id) && batch_id.startsWith(magicBatchPrefix);
