import { canonicalNumber, isRawNumber, type JsonValue, type RawNumber, scientific } from './json.ts';

/**
 * Returns a text that is the same for equal JSON values. The order of keys and the notation of numbers make no
 * difference. Use it to compare values, not to parse them. The time is linear in the size of the value.
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
