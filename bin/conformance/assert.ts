import { isDeepStrictEqual } from 'node:util';
import type { Response } from '../checks/http.ts';
import { Mismatch } from './mismatch.ts';

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 300);

/** @throws Mismatch unless both are the same JSON */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, expected)) throw new Mismatch(`${what} is ${shown(actual)}, not ${shown(expected)}`);
}

/** @throws Mismatch with this message unless the condition is true */
export function holds(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Mismatch(message);
}

export function matches(actual: unknown, pattern: RegExp, what: string): void {
  holds(typeof actual === 'string' && pattern.test(actual), `${what} is ${shown(actual)}`);
}

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** ISO 8601 UTC with fractional seconds. */
export const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** The paths in the details of an error, each once. */
export const pathsOf = ({ body }: Response): string[] => [
  ...new Set((body?.details ?? []).map(({ path }: { path: string }) => path) as string[]),
];

/** @throws Mismatch unless the error has this code and names exactly these paths */
export function refused(response: Response, code: string, ...paths: string[]): void {
  same(response.body?.error, code, 'the error code');
  same(pathsOf(response).sort(), [...paths].sort(), 'the paths in details');
}

export const keysOf = (value: object): string[] => Object.keys(value).sort();
