/** One error of a request. `path` is a JSON Pointer into the body, or the name of a query parameter. */
export type ErrorDetail = { path: string; message: string };

/** All error codes of the API (contract, section 1). `lib/http/errors.ts` maps each to its status and text. */
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

/** All errors of a request are reported together, up to this number. */
export const maxErrorDetails = 100;

type ProblemOptions = {
  scope?: string;
  allow?: readonly string[];
  retryAfter?: number;
  reason?: string;
  hint?: string;
};

/** An error that is reported to the caller. Operations and handlers throw it. It never contains a stored value. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly details: readonly ErrorDetail[] | undefined;
  /** For `insufficient_scope`: the required scopes, separated by spaces. */
  readonly scope: string | undefined;
  /** For `method_not_allowed`: the methods that the path supports. */
  readonly allow: readonly string[] | undefined;
  /** Seconds to wait before a retry, if they are known. */
  readonly retryAfter: number | undefined;
  /** A sentence for people that follows the message. It does not depend on stored values. */
  readonly hint: string | undefined;

  /** @param options `reason` is a fixed text for the log and must not contain values */
  constructor(
    code: ProblemCode,
    details?: readonly ErrorDetail[],
    { scope, allow, retryAfter, hint, reason = code, ...options }: ErrorOptions & ProblemOptions = {},
  ) {
    super(reason, options);
    this.code = code;
    this.details = details?.slice(0, maxErrorDetails);
    this.scope = scope;
    this.allow = allow;
    this.retryAfter = retryAfter;
    this.hint = hint;
  }
}

export const notFound = (hint?: string) => new Problem('not_found', undefined, hint === undefined ? {} : { hint });
/** @param allow the methods that the path supports */
export const methodNotAllowed = (allow: readonly string[]) =>
  new Problem('method_not_allowed', undefined, { allow, hint: `It supports ${allow.join(', ')}.` });
export const invalidRequest = (...errors: ErrorDetail[]) => new Problem('invalid_request', errors);
export const insufficientScope = (scope: string) => new Problem('insufficient_scope', undefined, { scope });
/** @param cause a failure of the code because of which records are rejected: for the log */
export const validationFailed = (errors: readonly ErrorDetail[], cause?: unknown) =>
  new Problem('validation_failed', errors, cause === undefined ? {} : { cause });

/** Why a record is rejected that the code of this service fails on. It would fail again at every attempt. */
export const internalFailure = 'cannot be processed because of an internal error';

/** @throws Problem `validation_failed` for the records at these paths if the code fails on them. */
export function judged<T>(paths: readonly string[], judge: () => T): T {
  try {
    return judge();
  } catch (cause) {
    throw validationFailed(
      paths.map((path) => ({ path, message: internalFailure })),
      cause,
    );
  }
}

/** The path as a JSON Pointer (RFC 6901). */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The names in a JSON Pointer. */
export const namesInPointer = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/**
 * The fields of an error in a log line: its name and code, and those of its causes. The message of other errors than
 * Problem is left out, because it can contain stored values. If IAM refused an action, the line has its name.
 */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const { code } = error as { code?: unknown };
  return {
    error: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...deniedOf(error),
    ...(error instanceof Problem ? { reason: error.message } : { frames: framesOf(error) }),
    ...(error.cause === undefined ? {} : { cause: errorFields(error.cause) }),
  };
}

/** Why something failed, in one line: what the log says of the error, but for its frames. */
export function reasonOf(error: unknown): string {
  const { error: name, code, reason } = errorFields(error);
  return String(reason ?? `${[name, code].filter(Boolean).join(' ')}, see the log`);
}

/** AWS names the action in this form in the message. */
const deniedAction = /\bnot authorized to perform: ([a-z0-9-]{1,40}:[A-Za-z]{1,60})(?= |$)/;

function deniedOf({ name, message }: Error): { denied?: string } {
  const denied = name.startsWith('AccessDenied') ? deniedAction.exec(message)?.[1] : undefined;
  return denied === undefined ? {} : { denied };
}

/** Removes the message from the stack first, because a line of the message can look like a frame. */
const framesOf = ({ stack = '', message }: Error): string[] =>
  stack
    .replace(message, '')
    .split('\n')
    .filter((line) => line.startsWith('    at '));
