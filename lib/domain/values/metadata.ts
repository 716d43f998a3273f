import * as z from 'zod';
import { fieldKinds, isNumber, utf8Length } from './fields.ts';
import {
  canonicalNumber,
  isJsonObject,
  isJsonScalar,
  isRawNumber,
  isSameScalar,
  type JsonObject,
  type JsonScalar,
  type JsonValue,
  type RawNumber,
  setMember,
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
export type MetadataChange = { readonly [topLevelKey: string]: Metadata };

/** A member of a change that first clears what is stored. A top-level key contains no dot. */
const clears = '.';
/** Marks metadata of a request that is sent as `null` and as dotted keys. */
const clearing = Symbol('clears what is stored');
export const clearingFirst = (value: JsonObject): JsonObject => Object.assign(value, { [clearing]: true });

export const metadataLimits = { keys: 1000, bytes: 16 * 1024 } as const;

/**
 * Flattens metadata of a request (specification, "meta_public and meta_private behaviour"): nested objects, and arrays
 * by index, become dot-joined keys. At each level, dotted keys come after nested ones, and if two keys collide, the
 * later one wins. The function uses its own stack, reads children one at a time and stops at the limits, so that no
 * body can cause deep recursion, much memory or a long run.
 * @returns `undefined` if the limits are exceeded
 */
export function flatten(value: JsonObject): MetadataChange | undefined {
  const change: Record<string, Record<string, JsonScalar>> = clearing in value ? { [clears]: {} } : {};
  const stack: Level[] = [levelOf(value)];
  let keys = 0;
  for (let level = stack.at(-1); level; level = stack.at(-1)) {
    const { parent, names, next } = level;
    if (next >= (names ?? (parent as JsonValue[])).length) {
      stack.pop();
      continue;
    }
    level.next++;
    const name = names ? names[next]! : String(next);
    const child = names ? (parent as JsonObject)[name]! : (parent as JsonValue[])[next]!;
    const path = level.path === undefined ? name : `${level.path}.${name}`;
    const top = level.top ?? topLevelKey(path);
    if (!Object.hasOwn(change, top)) setMember(change, top, {});
    if (!isJsonScalar(child)) {
      stack.push(levelOf(child, path, top));
    } else {
      keys += put(change[top]!, path, child, path === top);
      if (keys > metadataLimits.keys || path.length > metadataLimits.bytes) return undefined;
    }
  }
  return change;
}

type Level = {
  parent: JsonObject | JsonValue[];
  /** The names of an object's members, dotted ones last. `undefined` for an array. */
  names: string[] | undefined;
  /** The position of the next child. */
  next: number;
  /** Joined keys and top-level key so far; `undefined` at the root. */
  path: string | undefined;
  top: string | undefined;
};

const levelOf = (parent: JsonObject | JsonValue[], path?: string, top?: string): Level => ({
  parent,
  names: Array.isArray(parent) ? undefined : dottedLast(Object.keys(parent)),
  next: 0,
  path,
  top,
});

const isDotted = (name: string) => name.includes('.');
const dottedLast = (names: string[]): string[] =>
  names.some(isDotted) ? [...names.filter((name) => !isDotted(name)), ...names.filter(isDotted)] : names;

/** Returns how many keys were added. `null` at the top level removes the key. */
function put(group: Record<string, JsonScalar>, path: string, value: JsonScalar, isTop: boolean): number {
  if (value === null && isTop) return 0;
  const added = Object.hasOwn(group, path) ? 0 : 1;
  setMember(group, path, isNumber(value) ? canonicalNumber(value) : value);
  return added;
}

/**
 * Merges the change. Returns `null` if no keys are left, and `before` itself if nothing changes. A change of `null` clears
 * everything.
 */
export function mergeMetadata(before: Metadata | null, change: MetadataChange | null): Metadata | null {
  if (change === null) return null;
  const stored = Object.hasOwn(change, clears) ? null : before;
  if (stored !== null && changesNothing(stored, change)) return stored;
  const kept = Object.entries(stored ?? {}).filter(([key]) => !Object.hasOwn(change, topLevelKey(key)));
  const sent = Object.values(change).flatMap((group) => Object.entries(group));
  // Sorted, so that equal metadata has equal JSON.
  const entries = [...kept, ...sent].sort(([a], [b]) => (a < b ? -1 : 1));
  // `fromEntries` defines properties, so a key such as `__proto__` is ordinary data.
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** True if the keys under each top-level key of the change are stored with the same values, and no others. */
function changesNothing(stored: Metadata, change: MetadataChange): boolean {
  let sent = 0;
  for (const top of Object.keys(change)) {
    const group = change[top]!;
    for (const key of Object.keys(group)) {
      if (!Object.hasOwn(stored, key) || !isSameScalar(stored[key], group[key])) return false;
      sent++;
    }
  }
  let replaced = 0;
  for (const key of Object.keys(stored)) if (Object.hasOwn(change, topLevelKey(key))) replaced++;
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
      const error = change ? changeError(change) : overLimits;
      if (change && error === undefined) return change;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({ type: 'object' })
    .register(fieldKinds, { kind: 'object' });

function changeError(change: MetadataChange): string | undefined {
  let mostBytes = 0;
  for (const top of Object.keys(change)) {
    const group = change[top]!;
    for (const key of Object.keys(group)) {
      const value = group[key]!;
      if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) {
        return 'must be well-formed Unicode, without lone surrogates';
      }
      mostBytes += mostJsonBytes(key) + mostJsonBytes(value);
    }
  }
  // Serializing the metadata takes longer, and small metadata is certainly within the limit.
  return mostBytes <= metadataLimits.bytes ? undefined : metadataError(mergeMetadata(null, change));
}

/** An upper bound of the length in JSON, with a separator. A character becomes at most an escape of six bytes. */
function mostJsonBytes(value: JsonScalar): number {
  if (typeof value === 'string') return 6 * value.length + 3;
  return isRawNumber(value) ? value.rawJSON.length + 1 : mostBytesOfNumber;
}

/** Also of `true`, `false` and `null`. */
const mostBytesOfNumber = 26;

const overLimits = `must be at most ${metadataLimits.keys} keys and 16 KB of JSON`;

function topLevelKey(path: string): string {
  const dot = path.indexOf('.');
  return dot === -1 ? path : path.slice(0, dot);
}
