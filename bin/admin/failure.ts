import { type ErrorDetail, Problem } from '../../lib/domain/values/problem.ts';

/** Why a verb failed; `--json` prints it as `{"error","details"}`. */
export class AdminFailure extends Error {
  override readonly name = 'AdminFailure';
  readonly code: string;
  readonly details: readonly ErrorDetail[];

  constructor(code: string, details: readonly ErrorDetail[]) {
    super(details.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('\n'));
    this.code = code;
    this.details = details;
  }
}

/** The verb has printed its result, which a script must notice. */
export class Alarm extends Error {
  override readonly name = 'Alarm';
}

export const failure = (code: string, message: string, path = ''): AdminFailure =>
  new AdminFailure(code, [{ path, message }]);

/** For `catch`: names what an operation did not find. */
export const asNotFound =
  (failed: () => AdminFailure) =>
  (error: unknown): never => {
    throw error instanceof Problem && error.code === 'not_found' ? failed() : error;
  };

function textOf({ code, message, cause }: Problem): string {
  if (code === 'not_found') return 'There is no such object.';
  if (code !== 'unavailable') return message;
  const reason = cause instanceof Error ? `${message}: ${cause.name}` : message;
  return `The table or the queue cannot be reached (${reason}). It is safe to try again.`;
}

/** Converts any error to one that can be printed. An unexpected error keeps its message, which the operator needs. */
export function failureOf(error: unknown): AdminFailure {
  if (error instanceof AdminFailure) return error;
  if (error instanceof Problem) {
    const details = error.details?.length ? error.details : undefined;
    return details ? new AdminFailure(error.code, details) : failure(error.code, textOf(error));
  }
  return failure('internal_error', error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}
