import * as z from 'zod';
import { fieldKinds, isNumber, utf8Length } from './fields.ts';
import {
  canonicalNumber,
  isJsonObject,
  isJsonScalar,
  isSameScalar,
  type JsonObject,
  type JsonScalar,
  type JsonValue,
  type RawNumber,
} from './json.ts';

/** `meta_public` or `meta_private` as stored: scalars by dot-joined key, sorted by key. */
export type Metadata = { readonly [key: string]: JsonScalar };

/** Metadata in responses. A `RawNumber` becomes a number in JSON. */
export const shownMetadata = () =>
  z
    .record(z.string(), z.union([z.string(), z.number() as z.ZodType<number | RawNumber>, z.boolean(), z.null()]))
    .nullable();

/**
 * How an upsert changes metadata: for each top-level key in the request, the flattened keys that replace all keys under
 * it. If there are none, the keys under it are removed.
 */
export type MetadataChange = ReadonlyMap<string, ReadonlyMap<string, JsonScalar>>;

export const metadataLimits = { keys: 1000, bytes: 16 * 1024 } as const;

/**
 * Flattens metadata of a request (specification, "meta_public and meta_private behaviour"): nested objects, and arrays
 * by index, become dot-joined keys. At each level, dotted keys come after nested ones, and if two keys collide, the
 * later one wins. The function uses its own stack, reads children one at a time and stops at the limits, so that no
 * body can cause deep recursion, much memory or a long run.
 * @returns `undefined` if the limits are exceeded
 */
export function flatten(value: JsonObject): MetadataChange | undefined {
  const change = new Map<string, Map<string, JsonScalar>>();
  const stack: Level[] = [{ path: undefined, top: undefined, children: childrenOf(value) }];
  let keys = 0;
  for (let level = stack.at(-1); level; level = stack.at(-1)) {
    const { done, value: entry } = level.children.next();
    if (done) {
      stack.pop();
      continue;
    }
    const [key, child] = entry;
    const path = level.path === undefined ? String(key) : `${level.path}.${key}`;
    const top = level.top ?? topLevelKey(path);
    const group = change.get(top) ?? new Map<string, JsonScalar>();
    change.set(top, group);
    if (!isJsonScalar(child)) {
      stack.push({ path, top, children: childrenOf(child) });
    } else {
      keys += put(group, path, child, path === top);
      if (keys > metadataLimits.keys || path.length > metadataLimits.bytes) return undefined;
    }
  }
  return change;
}

type Level = {
  /** Joined keys and top-level key so far; `undefined` at the root. */
  path: string | undefined;
  top: string | undefined;
  children: Iterator<[string | number, JsonValue], void>;
};

/** Returns how many keys were added. `null` at the top level removes the key. */
function put(group: Map<string, JsonScalar>, path: string, value: JsonScalar, isTop: boolean): number {
  const before = group.size;
  if (value !== null || !isTop) group.set(path, isNumber(value) ? canonicalNumber(value) : value);
  return group.size - before;
}

/**
 * Merges the change. Returns `null` if no keys are left, and `stored` itself if nothing changes. A change of `null` clears
 * everything.
 */
export function mergeMetadata(stored: Metadata | null, change: MetadataChange | null): Metadata | null {
  if (change === null) return null;
  if (stored !== null && changesNothing(stored, change)) return stored;
  const kept = Object.entries(stored ?? {}).filter(([key]) => !change.has(topLevelKey(key)));
  const sent = [...change.values()].flatMap((group) => [...group]);
  // Sorted, so that equal metadata has equal JSON.
  const entries = [...kept, ...sent].sort(([a], [b]) => (a < b ? -1 : 1));
  // `fromEntries` defines properties, so a key such as `__proto__` is ordinary data.
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** True if the keys under each top-level key of the change are stored with the same values, and no others. */
function changesNothing(stored: Metadata, change: MetadataChange): boolean {
  let sent = 0;
  for (const group of change.values()) {
    for (const [key, value] of group) {
      if (!Object.hasOwn(stored, key) || !isSameScalar(stored[key], value)) return false;
      sent++;
    }
  }
  let replaced = 0;
  for (const key of Object.keys(stored)) if (change.has(topLevelKey(key))) replaced++;
  return sent === replaced;
}

/** Ignores the order of the keys. */
export function isSameMetadata(a: Metadata | null, b: Metadata | null): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSameScalar(a[key], b[key]))
  );
}

/** The error if the metadata exceeds the limits. */
export function metadataError(metadata: Metadata | null): string | undefined {
  if (metadata === null) return undefined;
  const fits =
    Object.keys(metadata).length <= metadataLimits.keys && utf8Length(JSON.stringify(metadata)) <= metadataLimits.bytes;
  return fits ? undefined : overLimits;
}

/** The field in a request: any JSON object. The result is the requested change. */
export const metadataField = () =>
  z
    .custom<JsonObject>((value) => isJsonObject(value as JsonValue), 'must be an object')
    .transform((value, context) => {
      const change = flatten(value);
      const error = change ? (wellFormed(change) ?? metadataError(mergeMetadata(null, change))) : overLimits;
      if (change && error === undefined) return change;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({ type: 'object' })
    .register(fieldKinds, { kind: 'object' });

function wellFormed(change: MetadataChange): string | undefined {
  for (const group of change.values()) {
    for (const [key, value] of group) {
      if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) {
        return 'must be well-formed Unicode, without lone surrogates';
      }
    }
  }
  return undefined;
}

const overLimits = `must be at most ${metadataLimits.keys} keys and 16 KB of JSON`;

/** The entries of an object or array. Dotted keys come after nested ones. */
function* childrenOf(value: JsonObject | JsonValue[]): Generator<[string | number, JsonValue], void> {
  if (Array.isArray(value)) return yield* value.entries();
  const keys = Object.keys(value);
  for (const key of keys) if (!key.includes('.')) yield [key, value[key]!];
  for (const key of keys) if (key.includes('.')) yield [key, value[key]!];
}

function topLevelKey(path: string): string {
  const dot = path.indexOf('.');
  return dot === -1 ? path : path.slice(0, dot);
}
