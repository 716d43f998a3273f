import { restoredName, withoutEscapedNames } from './escaped-names.ts';

/**
 * JSON without loss of digits. A number that a double would print differently is kept as text (`JSON.rawJSON`), which
 * `JSON.stringify` writes unchanged.
 */
// An interface, because a type alias of this shape would be assignable to JsonObject.
export interface RawNumber {
  readonly rawJSON: string;
}
export type JsonScalar = string | number | boolean | null | RawNumber;
export type JsonValue = JsonScalar | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** Deeper bodies are refused. They have no legitimate use, and can make recursive code fail. */
export const maxDepth = 1000;

/** Most characters of one number (contract, section 1). */
const maxNumberLength = 1024;

export class MalformedJson extends Error {
  override readonly name = 'MalformedJson';
}

/**
 * Parses JSON (RFC 8259). If a key repeats in an object, the last value wins, as in every common parser.
 * @throws MalformedJson if the text is not JSON, is nested deeper than {@link maxDepth}, or contains a number that is
 * longer than {@link maxNumberLength} or beyond the range of a double
 */
export function parseJson(text: string): JsonValue {
  refuseExtremes(text);
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof MalformedJson) throw error;
    throw new MalformedJson('not well-formed JSON');
  }
}

/** Parses text that this service wrote, without the checks of {@link parseJson}. */
export function readJson(text: string): JsonValue {
  const safe = withoutEscapedNames(text);
  if (safe !== text) return JSON.parse(safe, restoreNames);
  return mayHoldInexactNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

export const isRawNumber = (value: unknown): value is RawNumber => rawJson.isRawJSON(value);
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
export const isJsonScalar = (value: unknown): value is JsonScalar =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  value === null ||
  isRawNumber(value);

/** True for a text that is not blank. */
export const isFilledText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

export const isSameScalar = (a: JsonScalar | undefined, b: JsonScalar | undefined): boolean =>
  a === b || (isRawNumber(a) && isRawNumber(b) && a.rawJSON === b.rawJSON);

/** Sets a member of an object. `__proto__` is a name like any other, and assigning to it would set the prototype. */
export function setMember<T>(target: Record<string, T>, name: string, value: T): void {
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** The members of all objects. Of those with the same name, the last one. */
export const joined = (objects: readonly JsonObject[]): JsonObject =>
  Object.fromEntries(objects.flatMap((each) => Object.entries(each)));

/** The digits of a JSON number as they were written. */
export const numberText = (value: number | RawNumber): string => JSON.stringify(value);

/**
 * Converts a number to a double if that keeps its value: `12.50`, `1e3` and `-0` become doubles. Others stay text.
 */
export function canonicalNumber(value: number | RawNumber): number | RawNumber {
  if (typeof value === 'number') return value === 0 ? 0 : value;
  const double = Number(value.rawJSON);
  // With the same digits, the exponents are the same too: a double differs from the number by less than a power of ten.
  const [digits] = scientific(value.rawJSON);
  const [doubleDigits] = scientific(String(double));
  return digits === doubleDigits ? (double === 0 ? 0 : double) : value;
}

// Types of the ECMAScript feature "JSON.parse source text access", which TypeScript does not have yet.
const rawJson = JSON as unknown as { rawJSON(text: string): RawNumber; isRawJSON(value: unknown): boolean };

/**
 * Matches every text with a number that a double may print differently: an exponent, a final zero after the point, a
 * negative zero, or many digits. Such a number is at the start or after a separator. A match inside a string only costs
 * time.
 */
const mayHoldInexactNumber =
  /(?:^|[[:,\s])-?(?:[\d.]{16}|0\.000000|\d+(?:\.\d+)?[eE]|\d+\.\d*0(?:[\s,}\]]|$))|(?:^|[[:,\s])-0/;

function keepDigits(_key: string, value: JsonValue, context?: { source: string }): JsonValue {
  if (typeof value !== 'number') return value;
  if (!Number.isFinite(value)) throw new MalformedJson('a number is beyond the range of a double');
  const { source } = context!;
  return String(value) === source ? value : rawJson.rawJSON(source);
}

/** The value with the names that {@link withoutEscapedNames} replaced, and with the digits of its numbers. */
function restoreNames(key: string, value: JsonValue, context?: { source: string }): JsonValue {
  if (!isJsonObject(value)) return keepDigits(key, value, context);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [restoredName(name), member]));
}

/** Significant digits and decimal exponent. They are the same for texts of the same absolute value. */
export function scientific(text: string): [digits: string, exponent: number] {
  const [mantissa = '', exponent = '0'] = text.replace(/^-/, '').split(/[eE]/);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  // Loops, because a pattern for the trailing zeros would take quadratic time for some texts.
  let start = 0;
  let end = digits.length;
  while (digits[start] === '0') start++;
  while (end > start && digits[end - 1] === '0') end--;
  if (start === end) return ['', 0];
  return [digits.slice(start, end), Number(exponent) - fraction.length + (digits.length - end)];
}

/** Checks the limits in one pass before the text is parsed. */
function refuseExtremes(text: string): void {
  let depth = 0;
  let inString = false;
  let numberStart = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at++;
      else if (code === quote) inString = false;
      numberStart = at + 1;
    } else if (numberCharacters[code]) {
      if (at - numberStart >= maxNumberLength) {
        throw new MalformedJson(`a number is longer than ${maxNumberLength} characters`);
      }
    } else {
      numberStart = at + 1;
      if (code === quote) inString = true;
      else if (code === brace || code === bracket) {
        if (++depth > maxDepth) throw new MalformedJson(`nested deeper than ${maxDepth} levels`);
      } else if (code === endBrace || code === endBracket) depth--;
    }
  }
}

const [quote, backslash, brace, bracket, endBrace, endBracket] = Array.from('"\\{[}]', (char) =>
  char.charCodeAt(0),
) as [number, number, number, number, number, number];

/** By character code: 1 for the characters of a number. */
const numberCharacters = new Uint8Array(128);
for (const char of '0123456789.+-eE') numberCharacters[char.charCodeAt(0)] = 1;
