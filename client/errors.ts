import type { components } from './schema.ts';

type Schemas = components['schemas'];
type Refusal = 'ErrorResponse' | 'ErrorResponseWithDetails' | 'InvalidToken' | 'TokenRequestRefusal' | 'ClientRefusal';

/** Every `error` of the document, and `unexpected_answer` for what is none of them: the page of a proxy, say. */
export type ErrorCode = Schemas[Refusal]['error'] | 'unexpected_answer';

/** One fault of a request: `path` is a JSON Pointer into the body, or the name of a query parameter. */
export type ErrorDetail = Schemas['ErrorDetail'];

type ApiErrorParts = {
  status: number;
  code: ErrorCode;
  details?: ErrorDetail[] | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
};

/** The service's refusal. Holds neither credentials nor what was sent. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly status: number;
  /** What to decide by. */
  readonly code: ErrorCode;
  /** Every fault of a request that was 400 or 422; else empty. */
  readonly details: readonly ErrorDetail[];
  /** Quote it when you report a fault. */
  readonly requestId: string | undefined;
  /** Seconds that the service asks to wait. */
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

/** 409: the request contradicts what was accepted before, such as a `chunk_count` that differs from an earlier chunk's. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/** No answer: the connection failed, or the answer did not come in time. `cause` says why. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** The gateway and proxies in front of the service answer in shapes of their own: there the status decides. */
const codeOfStatus: Record<number, ErrorCode> = {
  401: 'invalid_token',
  404: 'not_found',
  409: 'conflict',
  413: 'payload_too_large',
  429: 'too_many_requests',
  503: 'unavailable',
};

/** @param call method and path, for the message: the query string may hold personal data. */
export function apiError(call: string, response: Response, text: string): ApiError {
  const body = objectIn(text);
  const { status } = response;
  const known = typeof body.error === 'string' ? (body.error as ErrorCode) : undefined;
  const code = known ?? codeOfStatus[status] ?? 'unexpected_answer';
  const details = Array.isArray(body.details) ? (body.details as ErrorDetail[]) : [];
  const ErrorClass = status === 409 ? ConflictError : ApiError;
  return new ErrorClass(`${call} was answered ${status} ${code}${inWords(details)}`, {
    status,
    code,
    details,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfterOf(response.headers, Date.now()),
  });
}

/** Seconds, from seconds or an HTTP date; the answer's own clock counts where it says the time. */
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
