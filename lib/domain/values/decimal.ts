import { scientific } from './json.ts';

/** Decimals as text, compared to the digit, whatever their notation and length. A binary number would round them. */

/** Negative if the first is less, positive if it is greater, 0 if both are the same number. */
export function compareDecimals(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)];
  if (a.sign !== b.sign) return a.sign - b.sign;
  return a.sign * (a.magnitude - b.magnitude || compareText(a.digits, b.digits));
}

/** The same text for the same number. */
export function canonicalDecimal(decimal: string): string {
  const { sign, magnitude, digits } = partsOf(decimal);
  return `${sign}:${magnitude}:${digits}`;
}

/** @property magnitude the power of ten before the first digit @property digits without zeros around them */
function partsOf(decimal: string): { sign: number; magnitude: number; digits: string } {
  const [digits, exponent] = scientific(decimal.replace(/^[+-]/, ''));
  if (digits === '') return { sign: 0, magnitude: 0, digits };
  return { sign: decimal.startsWith('-') ? -1 : 1, magnitude: digits.length + exponent, digits };
}

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
