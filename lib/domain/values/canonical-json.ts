import { canonicalNumber, isRawNumber, type JsonObject, type JsonValue, type RawNumber, scientific } from './json.ts';

/**
 * Returns a text that is the same for equal JSON values. The order of keys and the notation of numbers make no
 * difference. Use it to compare values, not to parse them. The time is linear in the size of the value.
 */
export function canonicalText(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isRawNumber(value)) return numberText(value);
  if (typeof value !== 'object' || value === null) return String(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const each of value) text += `${canonicalText(each)},`;
    return `[${text}]`;
  }
  for (const name of sortedKeys(value)) text += `${JSON.stringify(name)}:${canonicalText(value[name]!)},`;
  return `{${text}}`;
}

/** Most keys that are sorted by insertion, in place. `sort` allocates, which takes longer for the objects of an import. */
const fewKeys = 40;

/** The keys by UTF-16 code units. */
function sortedKeys(value: JsonObject): string[] {
  const keys = Object.keys(value);
  if (keys.length > fewKeys) return keys.sort();
  for (let at = 1; at < keys.length; at++) {
    const key = keys[at]!;
    let to = at;
    for (; to > 0 && keys[to - 1]! > key; to--) keys[to] = keys[to - 1]!;
    keys[to] = key;
  }
  return keys;
}

function numberText(value: RawNumber): string {
  const canonical = canonicalNumber(value);
  if (typeof canonical === 'number') return String(canonical);
  const [digits, exponent] = scientific(canonical.rawJSON);
  return `${canonical.rawJSON.startsWith('-') ? '-' : ''}${digits}e${exponent}`;
}
