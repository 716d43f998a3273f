/** One fault of a request: where, as a JSON Pointer into the body or the name of a query parameter, and what. */
export type ErrorDetail = { path: string; message: string };

/** Every error that the interface knows (contract, section 1). `lib/http/errors.ts` gives each its status and text. */
export type ProblemCode =
  | 'invalid_request'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'forbidden'
  | 'identity_required'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'gone'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'too_many_requests'
  | 'internal_error'
  | 'unavailable';

/** All faults of a request are reported together, up to this many. */
export const maxErrorDetails = 100;

/** A refusal that the caller is told of. Thrown from operations and handlers; never holds a stored value. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly details: readonly ErrorDetail[] | undefined;
  /** Of `insufficient_scope`: the scopes that the call needs, separated by spaces. */
  readonly scope: string | undefined;

  /** @param options `reason` is what the log says: our own words, never a value. */
  constructor(
    code: ProblemCode,
    details?: readonly ErrorDetail[],
    { scope, reason = code, ...options }: ErrorOptions & { scope?: string; reason?: string } = {},
  ) {
    super(reason, options);
    this.code = code;
    this.details = details?.slice(0, maxErrorDetails);
    this.scope = scope;
  }
}

export const notFound = () => new Problem('not_found');
export const invalidRequest = (...errors: ErrorDetail[]) => new Problem('invalid_request', errors);
export const insufficientScope = (scope: string) => new Problem('insufficient_scope', undefined, { scope });
export const validationFailed = (errors: readonly ErrorDetail[]) => new Problem('validation_failed', errors);

/** A JSON Pointer (RFC 6901) of the path. */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
