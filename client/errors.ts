import type { components } from './schema.ts';

type Schemas = components['schemas'];
type ErrorSchema =
  | 'ErrorResponse'
  | 'ErrorResponseWithDetails'
  | 'InvalidToken'
  | 'TokenRequestRefusal'
  | 'ClientRefusal';

/**
 * Every `error` of the document, and `unexpected_answer` for any other response, such as the page of a proxy.
 *
 * @example
 * const isMissing = (code: ErrorCode) => code === 'not_found';
 */
export type ErrorCode = Schemas[ErrorSchema]['error'] | 'unexpected_answer';

/**
 * One invalid field or parameter: `path` is a JSON Pointer into the body, or the name of a query parameter.
 *
 * @example
 * const text = ({ path, message }: ErrorDetail) => `${path} ${message}`;
 */
export type ErrorDetail = Schemas['ErrorDetail'];

type ApiErrorParts = {
  status: number;
  code: ErrorCode;
  details?: ErrorDetail[] | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
};

/**
 * An error response of the service. It contains neither credentials nor values of the request.
 *
 * @example
 * if (error instanceof ApiError && error.code === 'validation_failed') console.log(error.details);
 */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** The error code. Use it to decide what to do. */
  readonly code: ErrorCode;
  /** Every error of the request if the status is 400 or 422. Otherwise empty. */
  readonly details: readonly ErrorDetail[];
  /** Quote it when you report an error. */
  readonly requestId: string | undefined;
  /** Seconds to wait, from `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { status, code, details = [], requestId, retryAfter }: ApiErrorParts) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/**
 * 409: the request contradicts an earlier request. For example, its `chunk_count` differs from that of another chunk.
 *
 * @example
 * if (error instanceof ConflictError) console.log('use another batch_id');
 */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/**
 * 412: the contact no longer has the tag in `ifMatch`, and nothing was stored. Read it again and decide again. If an
 * earlier attempt of the same call lost its response, that attempt itself may have changed the contact.
 *
 * @example
 * if (error instanceof PreconditionFailedError) await readAgain();
 */
export class PreconditionFailedError extends ApiError {
  override readonly name = 'PreconditionFailedError';

  constructor(message: string, parts: ApiErrorParts) {
    super(`${message}: the contact has changed since this tag was read; read it again and use the new tag`, parts);
  }
}

/**
 * No response: the connection failed, or the response did not arrive in time. `cause` has the reason.
 *
 * @example
 * if (error instanceof NetworkError) console.log(error.cause);
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** The gateway and proxies in front of the service have other error formats, so the status determines the code. */
const codeOfStatus: Record<number, ErrorCode> = {
  401: 'invalid_token',
  404: 'not_found',
  409: 'conflict',
  412: 'precondition_failed',
  413: 'payload_too_large',
  429: 'too_many_requests',
  503: 'unavailable',
};

const errorClasses: Record<number, typeof ApiError> = { 409: ConflictError, 412: PreconditionFailedError };

/** @param call method and path, for the message. It has no query string, which may contain personal data. */
export function apiError(call: string, response: Response, text: string): ApiError {
  const body = objectIn(text);
  const { status } = response;
  const known = typeof body.error === 'string' ? (body.error as ErrorCode) : undefined;
  const code = known ?? codeOfStatus[status] ?? 'unexpected_answer';
  const details = Array.isArray(body.details) ? (body.details as ErrorDetail[]) : [];
  const ErrorClass = errorClasses[status] ?? ApiError;
  // Errors of the token endpoint have a description instead of details (RFC 6749, section 5.2).
  const description = typeof body.error_description === 'string' ? `: ${body.error_description}` : '';
  return new ErrorClass(`${call} failed with ${status} ${code}${inWords(details) || description}`, {
    status,
    code,
    details,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfterOf(response.headers, Date.now()),
  });
}

/** The entity tag of a response. @throws ApiError if there is none, because a proxy removed it. */
export function tagOf({ status, headers }: Response): string {
  const tag = headers.get('etag');
  if (tag === null) throw new ApiError('the response has no ETag', { status, code: 'unexpected_answer' });
  return tag;
}

/** Seconds, from a number of seconds or from an HTTP date, which is compared with the response's `Date` if present. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  if (Number.isNaN(at)) return undefined;
  const sentAt = Date.parse(headers.get('date') ?? '');
  return Math.max(0, (at - (Number.isNaN(sentAt) ? now : sentAt)) / 1000);
}

function inWords([first, ...others]: readonly ErrorDetail[]): string {
  if (!first) return '';
  return `: ${first.path} ${first.message}${others.length > 0 ? ` (and ${others.length} more)` : ''}`;
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
