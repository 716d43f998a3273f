import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { clearingFirst } from './metadata.ts';

export const ambiguous = 'is sent both as a dotted key and inside the object: send only one of them';

/** The names of objects whose fields may also be sent as dotted keys. */
type Heads = ReadonlySet<string>;

/** Splits `contact.unique_id` into `["contact", "unique_id"]`. `undefined` if the key names no field of an object. */
export function dottedParts(name: string, heads: Heads): [head: string, inner: string] | undefined {
  const dot = name.indexOf('.');
  if (dot === -1) return undefined;
  const head = name.slice(0, dot);
  return heads.has(head) ? [head, name.slice(dot + 1)] : undefined;
}

/** True if the record also has the field in its nested form. */
function isNested(record: JsonObject, [head, inner]: readonly [string, string]): boolean {
  const given = record[head];
  if (!isJsonObject(given)) return false;
  if (Object.hasOwn(given, inner)) return true;
  let within: JsonValue | undefined = given;
  for (const name of inner.split('.')) {
    if (!isJsonObject(within) || !Object.hasOwn(within, name)) return false;
    within = within[name];
  }
  return true;
}

/** The dotted keys of fields that the record also has in their nested form. */
export function ambiguousKeys(value: unknown, heads: Heads): string[] {
  const record = value as JsonValue;
  if (!isJsonObject(record)) return [];
  return Object.keys(record).filter((name) => {
    const parts = dottedParts(name, heads);
    return parts !== undefined && isNested(record, parts);
  });
}

/**
 * The record with its dotted keys inside their objects. An object of `null` counts before them: of metadata, it clears
 * what is stored.
 */
export function nested(value: unknown, heads: Heads): unknown {
  const record = value as JsonValue;
  if (!isJsonObject(record) || !Object.keys(record).some((name) => name.includes('.'))) return record;
  const outer = new Map<string, JsonValue>();
  const inner = new Map<string, [string, JsonValue][]>();
  for (const [name, value] of Object.entries(record)) {
    const parts = dottedParts(name, heads);
    if (!parts) {
      outer.set(name, value);
      continue;
    }
    const entries = inner.get(parts[0]) ?? [];
    entries.push([parts[1], value]);
    inner.set(parts[0], entries);
  }
  for (const [head, entries] of inner) {
    const given = outer.get(head) ?? {};
    if (!isJsonObject(given)) continue;
    const object = Object.fromEntries([...Object.entries(given), ...entries]);
    outer.set(head, outer.get(head) === null ? clearingFirst(object) : object);
  }
  return Object.fromEntries(outer);
}

/** The path of an error in the record as it was sent, where `"product.type"` is one key. */
export function pathAsSent(record: unknown, path: readonly PropertyKey[], heads: Heads): PropertyKey[] {
  const [head, inner, ...rest] = path;
  const sent = record as JsonValue;
  const name = String(head);
  if (!heads.has(name) || !isJsonObject(sent)) return [...path];
  if (inner !== undefined) {
    const dotted = `${name}.${String(inner)}`;
    // A missing field gets the form, dotted or nested, that the record uses for the same object.
    const isDotted = Object.hasOwn(sent, dotted) || !isJsonObject(sent[name]);
    return isDotted ? [dotted, ...rest] : [...path];
  }
  if (Object.hasOwn(sent, name)) return [...path];
  return [Object.keys(sent).find((each) => each.startsWith(`${name}.`)) ?? name];
}
