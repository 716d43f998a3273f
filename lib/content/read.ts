import type * as z from 'zod';
import { contentDocument, type GivenDocument } from '../domain/campaigns/document.ts';
import type { JsonObject, JsonValue } from '../domain/values/json.ts';
import { isJsonObject } from '../domain/values/json.ts';
import { type ErrorDetail, pointer } from '../domain/values/problem.ts';

export type ReadDocument = {
  errors: ErrorDetail[];
  /** The valid part of the document, so that the other rules can be checked too. `undefined` if there is none. */
  document: GivenDocument | undefined;
};

/**
 * Reads a document for import. If fields are invalid, it reads the document again without them. The rules between
 * objects can then still be checked, so that all errors are reported together.
 */
export function readDocument(value: JsonValue): ReadDocument {
  const result = contentDocument.safeParse(value);
  if (result.success) return { errors: [], document: result.data };
  const errors = result.error.issues.map(({ path, message }) => ({ path: pointer(path), message }));
  if (!isJsonObject(value)) return { errors, document: undefined };
  return { errors, document: contentDocument.safeParse(withoutInvalid(value, result.error.issues)).data };
}

/** Lists whose elements have no index in the errors of other rules, so that the whole list can be removed. */
const plainLists: readonly unknown[] = [
  'completion_product_ids',
  'completion_standardized_types',
  'frame_ancestors',
  'lookup_fields',
];

/**
 * A copy without the invalid values. An invalid object in a list becomes an empty object, so that indexes do not
 * change.
 */
function withoutInvalid(value: JsonObject, issues: readonly z.core.$ZodIssue[]): JsonObject {
  const copy = copyOf(value) as JsonObject;
  for (const { path } of issues) {
    const depth = path.findIndex((part) => plainLists.includes(part));
    const within = depth === -1 ? path : path.slice(0, depth + 1);
    const [invalid, neutral] = partOfRule(within as string[]) ?? [within as string[], {}];
    const parent = invalid.slice(0, -1).reduce<JsonValue>((inner, part) => (inner as JsonObject)[part]!, copy);
    const last = invalid.at(-1)!;
    if (Array.isArray(parent)) parent[Number(last)] = neutral;
    else delete (parent as JsonObject)[last];
  }
  return withKeys(copy);
}

/** A number with all its digits cannot be cloned by `structuredClone`. */
function copyOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copyOf(inner)]));
}

/** A condition that no other rule of the import objects to. */
const anyCondition = { field: 'account.account_number', operator: 'is_set' };

/** The condition or group of a rule that an error is in, as a whole, and what replaces it. */
function partOfRule(path: readonly string[]): [path: string[], replaced: JsonValue] | undefined {
  const depth = path.indexOf('targeting_groups');
  if (depth === -1 || path.length < depth + 2) return undefined;
  const isCondition = path[depth + 2] === 'conditions' && path.length > depth + 3;
  return isCondition
    ? [path.slice(0, depth + 4), anyCondition]
    : [path.slice(0, depth + 2), { conditions: [anyCondition] }];
}

/** Adds placeholder keys to objectives whose key was removed, because the key is required. */
function withKeys(document: JsonObject): JsonObject {
  if (!Array.isArray(document.objectives)) return document;
  const objectives = (document.objectives as JsonObject[]).map((each, index) => ({ key: `\u0000${index}`, ...each }));
  return { ...document, objectives };
}
