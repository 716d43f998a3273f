import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalNumber, numberText, parseJson, scientific } from '../../../lib/domain/values/json.ts';
import { numberLiteral } from './number-literal.ts';

describe('the canonical number', () => {
  test.each([
    ['12.50', 12.5],
    ['1e3', 1000],
    ['1E+3', 1000],
    ['-0', 0],
    ['-0.0', 0],
    ['0e5', 0],
    ['1.0', 1],
    ['-1.10', -1.1],
    ['100000000000000000000', 100000000000000000000],
    ['0.00000010', 1e-7],
    ['5.0e-324', 5e-324],
  ])('of %s is a plain number', (text, expected) => {
    const value = canonicalNumber(parseJson(text) as number);
    expect(Object.is(value, expected)).toBe(true);
  });

  test('of negative zero is zero', () => {
    expect(Object.is(canonicalNumber(-0), 0)).toBe(true);
  });

  test.each(['12345678901234567', '12345678901234567890', '0.12345678901234567890123', '1e-400', '4e-324'])(
    'of %s, which no double holds, is its text',
    (text) => {
      expect(JSON.stringify(canonicalNumber(parseJson(text) as number))).toBe(text);
    },
  );

  test('always has the value that was written', () => {
    fc.assert(
      fc.property(numberLiteral, (text) => {
        const value = canonicalNumber(parseJson(text) as number);
        expect(decimalOf(numberText(value))).toEqual(decimalOf(text));
      }),
      { numRuns: 500 },
    );
  });
});

/** The exact value as a whole number and a power of ten. */
function decimalOf(text: string): [bigint, number] {
  const [mantissa = '', exponent = '0'] = text.split(/e/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  let digits = BigInt(whole.replace('-', '') + fraction) * (whole.startsWith('-') ? -1n : 1n);
  let power = Number(exponent) - fraction.length + 0;
  if (digits === 0n) return [0n, 0];
  while (digits % 10n === 0n) {
    digits /= 10n;
    power++;
  }
  return [digits, power];
}

test.each([
  ['0', ['', 0]],
  ['0.00e5', ['', 0]],
  ['-120', ['12', 1]],
  ['1.20e3', ['12', 2]],
  ['0.012E-4', ['12', -7]],
])('%s has the digits and exponent %j', (text, parts) => {
  expect(scientific(text)).toEqual(parts);
});
