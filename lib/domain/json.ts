/**
 * JSON without loss. A number whose digits a double would not give back as they were written is kept as its text
 * (`JSON.rawJSON`), which `JSON.stringify` writes out again unchanged.
 */
// An interface, since a type alias of this shape would count as a JsonObject.
export interface RawNumber {
  readonly rawJSON: string;
}
export type JsonScalar = string | number | boolean | null | RawNumber;
export type JsonValue = JsonScalar | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** Deeper bodies are refused: nobody writes them, and walking them is how parsers are made to fail. */
export const maxDepth = 1000;

/** Characters of one number: what is longer is no number that anybody counted with. */
export const maxNumberLength = 1024;

export class MalformedJson extends Error {
  override readonly name = 'MalformedJson';
}

/**
 * Parses RFC 8259 JSON. Of keys that repeat in one object the last counts, as in every common parser.
 * @throws MalformedJson when the text is not JSON, is nested deeper than {@link maxDepth}, or holds a number that is
 * longer than {@link maxNumberLength} or beyond the range of a double.
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

/** Parses text that we wrote ourselves, and so need not guard against. */
export const readJson = (text: string): JsonValue =>
  mayHoldInexactNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);

export const isRawNumber = (value: unknown): value is RawNumber => rawJson.isRawJSON(value);
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
export const isJsonScalar = (value: unknown): value is JsonScalar =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  value === null ||
  isRawNumber(value);

export const isSameScalar = (a: JsonScalar | undefined, b: JsonScalar | undefined): boolean =>
  a === b || (isRawNumber(a) && isRawNumber(b) && a.rawJSON === b.rawJSON);

/** The digits of a JSON number as they were written. */
export const numberText = (value: number | RawNumber): string =>
  typeof value === 'number' ? JSON.stringify(value) : value.rawJSON;

/**
 * A number by its value: `12.50`, `1e3` and `-0` become plain numbers; only what a double cannot hold stays text.
 */
export function canonicalNumber(value: number | RawNumber): number | RawNumber {
  if (typeof value === 'number') return value === 0 ? 0 : value;
  const double = Number(value.rawJSON);
  const [digits, exponent] = scientific(value.rawJSON);
  const [doubleDigits, doubleExponent] = scientific(String(double));
  return digits === doubleDigits && exponent === doubleExponent ? (double === 0 ? 0 : double) : value;
}

// The types of ECMAScript's "JSON.parse source text access", which TypeScript's library does not have yet.
const rawJson = JSON as unknown as { rawJSON(text: string): RawNumber; isRawJSON(value: unknown): boolean };

/**
 * Finds every text with a number that prints differently from how it was written: an exponent, a final zero behind
 * the point, a negative zero, many digits. Such a number stands at the start, or behind what separates values; finding
 * one inside a string only costs time.
 */
const mayHoldInexactNumber =
  /(?:^|[[:,\s])-?(?:[\d.]{16}|0\.000000|\d+(?:\.\d+)?[eE]|\d+\.\d*0(?:[\s,}\]]|$))|(?:^|[[:,\s])-0/;

function keepDigits(_key: string, value: JsonValue, context?: { source?: string }): JsonValue {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  if (!Number.isFinite(value)) throw new MalformedJson('a number is beyond the range of a double');
  return String(value) === context.source ? value : rawJson.rawJSON(context.source);
}

/** Significant digits and decimal exponent: equal for texts of equal value, but for their sign. */
export function scientific(text: string): [digits: string, exponent: number] {
  const [mantissa = '', exponent = '0'] = text.replace(/^-/, '').split(/[eE]/);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  // Loops, since a pattern for the zeros at the end tries every run of zeros on the way there.
  let start = 0;
  let end = digits.length;
  while (digits[start] === '0') start++;
  while (end > start && digits[end - 1] === '0') end--;
  if (start === end) return ['', 0];
  return [digits.slice(start, end), Number(exponent) - fraction.length + (digits.length - end)];
}

/** One pass over the text, before anything is made of it. */
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

/** By character code: 1 for what a number is written with. */
const numberCharacters = new Uint8Array(128);
for (const char of '0123456789.+-eE') numberCharacters[char.charCodeAt(0)] = 1;
