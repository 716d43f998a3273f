import * as z from 'zod';
import { isNumber, utf8Length } from './fields.ts';
import {
  canonicalNumber,
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonScalar,
  type JsonValue,
} from './json.ts';

/** `meta_public` or `meta_private` as stored: dot-joined keys to scalars, in the order they were written. */
export type Metadata = { readonly [key: string]: JsonScalar };

/**
 * What an upsert does to metadata: for each top-level key that was sent, the flattened keys that replace all that stood
 * under it. A key with nothing to put there is removed.
 */
export type MetadataChange = ReadonlyMap<string, ReadonlyMap<string, JsonScalar>>;

export const metadataLimits = { keys: 1000, bytes: 16 * 1024 } as const;

/**
 * Flattens what was sent (specification, "meta_public and meta_private behaviour"): nested objects, and arrays by
 * index, become dot-joined keys. At each level dotted keys count after nested ones, and of two that collide the later
 * wins. The walk keeps its own stack, so that no depth of nesting can exhaust ours, and stops at the limits, so that
 * no body can make it long: `undefined` means that they were passed.
 */
export function flatten(value: JsonObject): MetadataChange | undefined {
  const change = new Map<string, Map<string, JsonScalar>>();
  const pending = childrenOf(value).map(([key, child]) => ({ top: topLevelKey(key), path: String(key), value: child }));
  let keys = 0;
  while (pending.length > 0) {
    const { top, path, value: current } = pending.pop()!;
    if (path.length > metadataLimits.bytes || keys > metadataLimits.keys) return undefined;
    const group = change.get(top) ?? new Map<string, JsonScalar>();
    change.set(top, group);
    if (isScalar(current)) {
      group.delete(path);
      if (current !== null || path !== top) group.set(path, isNumber(current) ? canonicalNumber(current) : current);
      keys++;
    } else {
      for (const [key, child] of childrenOf(current)) pending.push({ top, path: `${path}.${key}`, value: child });
    }
  }
  return change;
}

/** The metadata after the change; `null` when no keys are left. `undefined` as the change clears everything. */
export function mergeMetadata(stored: Metadata | null, change: MetadataChange | null): Metadata | null {
  if (change === null) return null;
  const kept = Object.entries(stored ?? {}).filter(([key]) => !change.has(topLevelKey(key)));
  const sent = [...change.values()].flatMap((group) => [...group]);
  const entries = [...kept, ...sent];
  // `fromEntries` defines properties, so that a key called `__proto__` is data like any other.
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** What the limits say against this metadata, if anything. */
export function metadataFault(metadata: Metadata | null): string | undefined {
  if (metadata === null) return undefined;
  const fits =
    Object.keys(metadata).length <= metadataLimits.keys && utf8Length(JSON.stringify(metadata)) <= metadataLimits.bytes;
  return fits ? undefined : overLimits;
}

/** The field as it arrives: any JSON object. Gives the change that it asks for. */
export const metadataField = () =>
  z
    .custom<JsonObject>((value) => isJsonObject(value as JsonValue), 'must be an object')
    .transform((value, context) => {
      const change = flatten(value);
      const fault = change ? (wellFormed(change) ?? metadataFault(mergeMetadata(null, change))) : overLimits;
      if (change && fault === undefined) return change;
      context.addIssue({ code: 'custom', message: fault });
      return z.NEVER;
    })
    .meta({ type: 'object' });

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

/** What an object or array holds, last first, for a stack: nested keys are to be taken before dotted ones. */
function childrenOf(value: JsonObject | JsonValue[]): [key: string | number, value: JsonValue][] {
  if (Array.isArray(value)) return [...value.entries()].reverse();
  const entries = Object.entries(value);
  const isDotted = ([key]: [string, JsonValue]) => key.includes('.');
  return [...entries.filter((entry) => !isDotted(entry)), ...entries.filter(isDotted)].reverse();
}

const isScalar = (value: JsonValue): value is JsonScalar =>
  value === null || typeof value !== 'object' || isRawNumber(value);

function topLevelKey(key: string | number): string {
  const path = String(key);
  const dot = path.indexOf('.');
  return dot === -1 ? path : path.slice(0, dot);
}
