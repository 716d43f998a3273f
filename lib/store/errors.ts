/** What DynamoDB's errors mean to a call: somebody else was first, try again, or a defect of ours. */

/** The condition of a statement, or of a part of a transaction, did not hold. */
const lost = new Set(['ConditionalCheckFailed', 'DuplicateItem']);

/**
 * Conditions that pass. Expired credentials are among them: the next request may find new ones, and until then the
 * service is unavailable. A missing permission is not: no retry helps, and somebody has to fix the policy.
 */
const transient = new Set([
  'ProvisionedThroughputExceeded',
  'Throttling',
  'ThrottlingError',
  'RequestLimitExceeded',
  'LimitExceeded',
  'InternalServerError',
  'InternalFailure',
  'ServiceUnavailable',
  'TransactionConflict',
  'TransactionInProgress',
  'ReplicatedWriteConflict',
  'ExpiredToken',
  'UnrecognizedClient',
  'CredentialsProviderError',
  'TimeoutError',
]);

/** Node's names for a connection that could not be made, or broke. */
const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
]);

/** A response without what it must hold. Empty or cut off, it would pass for a table without items. */
export class IncompleteResponse extends Error {
  override readonly name = 'IncompleteResponse';
}

/** A statement and a transaction name an error without the `Exception` that a request's error has. */
export const isLost = (code: string): boolean => lost.has(withoutSuffix(code));
/** Another transaction was at one of the items. */
export const isConflict = (code: string): boolean => withoutSuffix(code) === 'TransactionConflict';
export const isTransientCode = (code: string): boolean => transient.has(withoutSuffix(code));

const withoutSuffix = (name: string) => name.replace(/Exception$/, '');

/** Whether the same request may succeed when it is sent again. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // A response that was cut off is not JSON.
  if (error instanceof SyntaxError || error instanceof IncompleteResponse) return true;
  if (isTransientCode(error.name)) return true;
  const { code, $metadata } = error as Error & { code?: unknown; $metadata?: { httpStatusCode?: number } };
  return connectionErrors.has(String(code)) || ($metadata?.httpStatusCode ?? 0) >= 500;
}

/** Why each part of a transaction did not happen (`None` where it could have); `undefined` for any other error. */
export function cancellationReasons(error: unknown): string[] | undefined {
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') return undefined;
  const reasons = (error as Error & { CancellationReasons?: { Code?: string }[] }).CancellationReasons;
  return reasons?.map((reason) => reason.Code ?? 'None');
}
