import { isDeepStrictEqual } from 'node:util';

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 400);

/** The service does something else than the sentence says. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** The check needs something that this run does not have, such as the administrator. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked';
}

/** @throws Violation with this message unless the condition is true */
export function holds(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Violation(message);
}

/** @throws Violation unless both are the same JSON */
export function same(actual: unknown, expected: unknown, what: string): void {
  holds(isDeepStrictEqual(actual, expected), `${what}: ${shown(actual)} instead of ${shown(expected)}`);
}

/** @throws Violation unless the object has these values under these keys; it may have other keys */
// biome-ignore lint/suspicious/noExplicitAny: a part of a response, whose shape is what the check is about
export function has(actual: any, expected: Readonly<Record<string, unknown>>, what: string): void {
  holds(typeof actual === 'object' && actual !== null, `${what}: ${shown(actual)} is not an object`);
  for (const [key, value] of Object.entries(expected)) same(actual[key], value, `${what}, ${key}`);
}

export function matches(actual: unknown, pattern: RegExp, what: string): void {
  holds(typeof actual === 'string' && pattern.test(actual), `${what}: ${shown(actual)} does not match ${pattern}`);
}

export function keys(actual: object, expected: readonly string[], what: string): void {
  same(Object.keys(actual).sort(), [...expected].sort(), `the fields of ${what}`);
}

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
