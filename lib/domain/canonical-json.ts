import { canonicalNumber, isRawNumber, type JsonValue, type RawNumber } from './json.ts';

/**
 * A text that is equal for equal JSON values: the order of an object's keys and the way a number is written make no
 * difference. It is for comparing, not for parsing. Time grows in proportion to the value's size.
 */
export function canonicalText(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' || isRawNumber(value)) return numberText(value);
  if (typeof value !== 'object' || value === null) return String(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const each of value) text += `${canonicalText(each)},`;
    return `[${text}]`;
  }
  for (const name of Object.keys(value).sort()) text += `${JSON.stringify(name)}:${canonicalText(value[name]!)},`;
  return `{${text}}`;
}

function numberText(value: number | RawNumber): string {
  const canonical = canonicalNumber(value);
  return typeof canonical === 'number' ? String(canonical) : exactText(canonical.rawJSON);
}

/** Sign, significant digits and exponent of a number that a double cannot hold. */
function exactText(text: string): string {
  const [mantissa = '', exponent = '0'] = text.split(/[eE]/);
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  let from = 0;
  while (digits[from] === '0') from++;
  let to = digits.length;
  while (to > from && digits[to - 1] === '0') to--;
  const scale = Number(exponent) - fraction.length + (digits.length - to);
  return `${mantissa.startsWith('-') ? '-' : ''}${digits.slice(from, to)}e${scale}`;
}
