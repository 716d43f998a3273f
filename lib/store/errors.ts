import { StoreUnavailable } from './database.ts';

/** What the errors of AWS mean to a call: somebody else was first, try again, or a defect of ours. */

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
  // SQS
  'RequestThrottled',
  'KmsThrottled',
  // S3
  'SlowDown',
  'RequestTimeout',
  // A time limit of ours that ended the request.
  'AbortError',
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

/** What one response left undone, of which no error of the SDK tells: to be sent again. */
export class LeftUndone extends Error {
  override readonly name = 'LeftUndone';
  readonly code: string;
  constructor(code: string) {
    super();
    this.code = code;
  }
}

/** A statement of a batch, or a transaction, that the table refused for this reason: a defect of ours. */
export class WriteRefused extends Error {
  override readonly name = 'WriteRefused';
  readonly code: string;
  constructor(code: string, options?: ErrorOptions) {
    super(`the table refused a write: ${code}`, options);
    this.code = code;
  }
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
  if (error instanceof SyntaxError || error instanceof IncompleteResponse || error instanceof LeftUndone) return true;
  if (isTransientCode(error.name)) return true;
  const { code, $metadata } = error as Error & { code?: unknown; $metadata?: { httpStatusCode?: number } };
  return connectionErrors.has(String(code)) || ($metadata?.httpStatusCode ?? 0) >= 500;
}

/**
 * The error to throw on where a request failed for good: unavailable where it may succeed later, else the error itself,
 * which somebody has to look into (a missing permission, queue or secret).
 * @param reason for the log, without values
 */
export const failureOf = (error: unknown, reason: string): unknown =>
  isTransient(error) ? new StoreUnavailable(reason, { cause: error }) : error;

/** Why each part of a transaction did not happen (`None` where it could have); `undefined` for any other error. */
export function cancellationReasons(error: unknown): string[] | undefined {
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') return undefined;
  const reasons = (error as Error & { CancellationReasons?: { Code?: string }[] }).CancellationReasons;
  return reasons?.map((reason) => reason.Code ?? 'None');
}
