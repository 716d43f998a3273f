import { type ErrorDetail, namesInPointer } from '../domain/problem.ts';

/** An error of a row. `column` has the name in the file, and is empty if the error concerns the whole row. */
export type RowError = { column: string; reason: string };

/** The dotted name of the field for a JSON Pointer that starts at the record. */
export const fieldOf = (path: string): string => namesInPointer(path).join('.');

const recordPath = /^\/(records|contacts)\/(\d+)(\/.*)?$/s;

/**
 * The index of the record in the request, and its error: `/contacts/3/meta_public` is an error of the fourth record.
 */
export function recordErrorOf({ path, message }: ErrorDetail): { at: number; error: RowError } | undefined {
  const [, , at, rest = ''] = recordPath.exec(path) ?? [];
  return at === undefined ? undefined : { at: Number(at), error: { column: fieldOf(rest), reason: message } };
}

/** The same error in a request with `count` more records before this one. */
export const movedError = ({ path, message }: ErrorDetail, count: number): ErrorDetail => ({
  path: path.replace(recordPath, (_, list: string, at: string, rest = '') => `/${list}/${Number(at) + count}${rest}`),
  message,
});
