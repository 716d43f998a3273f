import { canonicalNumber, isRawNumber, type JsonValue, type RawNumber, scientific } from './json.ts';

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
  if (typeof canonical === 'number') return String(canonical);
  const [digits, exponent] = scientific(canonical.rawJSON);
  return `${canonical.rawJSON.startsWith('-') ? '-' : ''}${digits}e${exponent}`;
}
