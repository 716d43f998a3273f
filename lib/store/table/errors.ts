import { StoreUnavailable } from './database.ts';

/** Classifies errors of AWS: the condition failed, the request can be retried, or the service has a defect. */

/** The condition of a statement, or of a part of a transaction, failed. */
const lost = new Set(['ConditionalCheckFailed', 'DuplicateItem']);

/**
 * Errors after which a retry can succeed. Expired credentials are transient: the next request may have new ones. A
 * missing permission is not: an operator has to fix the policy.
 */
const transient = new Set([
  'ProvisionedThroughputExceeded',
  'Throttling',
  'ThrottlingError',
  'RequestLimitExceeded',
  'LimitExceeded',
  'TooManyRequests',
  'Throttled',
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
  // The SDK corrects its clock with the response.
  'RequestTimeTooSkewed',
  // A request that the service aborted because of its own time limit.
  'AbortError',
  // The SDK's name for an error that has none: the response is not from AWS, but from something in between.
  'Unknown',
]);

/** Node's error codes for a connection that failed or was interrupted. Those of its HTTP parser begin with `HPE_`. */
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
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/** The SDK has no names for these: the checksum of a response is wrong, or its body ended early. */
const brokenResponse = /^(?:InvalidChecksumError$|Checksum mismatch: |Connection lost or stream closed )/;

/**
 * A response lacks a required member. An empty or truncated response would otherwise look like a table without items.
 */
export class IncompleteResponse extends Error {
  override readonly name = 'IncompleteResponse';
}

/** A part of a request was not processed, and the SDK reports no error for it: send that part again. */
export class LeftUndone extends Error {
  override readonly name = 'LeftUndone';
  readonly code: string;
  constructor(code: string) {
    super();
    this.code = code;
  }
}

/** DynamoDB rejected a statement of a batch or a transaction, or EventBridge an event, with this code: a defect. */
export class WriteRefused extends Error {
  override readonly name = 'WriteRefused';
  readonly code: string;
  constructor(code: string, options?: ErrorOptions) {
    super(`a write was rejected: ${code}`, options);
    this.code = code;
  }
}

/** Accepts codes with and without the suffix `Exception`: statements and transactions leave it out. */
export const isLost = (code: string): boolean => lost.has(withoutSuffix(code));
/** Another transaction was writing one of the items. */
export const isConflict = (code: string): boolean => withoutSuffix(code) === 'TransactionConflict';
export const isTransientCode = (code: string): boolean => transient.has(withoutSuffix(code));

const withoutSuffix = (name: string) => name.replace(/Exception$/, '');

/** True if the same request may succeed when it is sent again. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // A truncated response is not valid JSON.
  if (error instanceof SyntaxError || error instanceof IncompleteResponse || error instanceof LeftUndone) return true;
  if (isTransientCode(error.name)) return true;
  const { code, $fault, $metadata = {} } = error as Error & AwsFields;
  if (connectionErrors.has(String(code)) || String(code).startsWith('HPE_')) return true;
  if (brokenResponse.test(error.message) || $metadata.clockSkewCorrected) return true;
  const { httpStatusCode: status } = $metadata;
  // Without `$fault`, the SDK could not read the response.
  return status !== undefined && (status >= 500 || status === 429 || $fault === undefined);
}

/** True if every request will fail like this one until an operator changes something: a permission, a queue, a bus. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error && refusals.test(error instanceof WriteRefused ? error.code : error.name);

const refusals = /^(?:AccessDenied|NotAuthorized|ResourceNotFound|QueueDoesNotExist)/;

/** True if the request itself breaks a rule or a limit of the store, such as the size of an item: it will always fail. */
export const isInvalidRequest = (error: unknown): boolean =>
  error instanceof Error && invalid.test(error instanceof WriteRefused ? error.code : error.name);

const invalid = /^(?:Validation|ItemCollectionSizeLimitExceeded|RequestEntityTooLarge)/;

type AwsFields = {
  code?: unknown;
  $fault?: string;
  /** The SDK has corrected its clock, so the next signature is valid. */
  $metadata?: { httpStatusCode?: number; clockSkewCorrected?: boolean };
};

/**
 * The error to throw after the last retry of a request: `StoreUnavailable` if it may succeed later, otherwise the error
 * itself, which an operator has to examine (a missing permission, queue or secret).
 * @param reason text for the log, without values
 */
export const failureOf = (error: unknown, reason: string): unknown =>
  isTransient(error) ? new StoreUnavailable(reason, { cause: error }) : error;

/** For `catch` of a request to AWS: throws `failureOf` the error. */
export const failWith =
  (reason: string) =>
  (error: unknown): never => {
    throw failureOf(error, reason);
  };

/**
 * The cancellation code of each part of a transaction (`None` if that part did not fail); `undefined` for other errors.
 */
export function cancellationReasons(error: unknown): string[] | undefined {
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') return undefined;
  const reasons = (error as Error & { CancellationReasons?: { Code?: string }[] }).CancellationReasons;
  return reasons?.map((reason) => reason.Code ?? 'None');
}
