import type { ErrorDetail } from '../domain/problem.ts';

/** What is wrong with a row. `column` is named as in the file, and empty where the fault is the whole row's. */
export type RowError = { column: string; reason: string };

/** The dotted name of the field that a JSON Pointer from the record names. */
export const fieldOf = (path: string): string =>
  path
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');

const recordPath = /^\/(records|contacts)\/(\d+)(\/.*)?$/s;

/** The index of the record in the request, and its fault: `/contacts/3/meta_public` is a fault of the fourth record. */
export function recordErrorOf({ path, message }: ErrorDetail): { at: number; error: RowError } | undefined {
  const [, , at, rest = ''] = recordPath.exec(path) ?? [];
  return at === undefined ? undefined : { at: Number(at), error: { column: fieldOf(rest), reason: message } };
}

/** The same fault of a request that has `count` more records before this one. */
export const movedError = ({ path, message }: ErrorDetail, count: number): ErrorDetail => ({
  path: path.replace(recordPath, (_, list: string, at: string, rest = '') => `/${list}/${Number(at) + count}${rest}`),
  message,
});
