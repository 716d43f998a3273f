import * as z from 'zod';
import { type ErrorDetail, maxErrorDetails, pointer } from './problem.ts';
import { similarTo } from './similar.ts';

/** A field of a request that its schema does not name, and the names beside it. */
type UnknownField = { path: readonly PropertyKey[]; known: readonly string[] };

/** How unknown fields are found in the values of a schema that has more than one form. */
export const unknownFieldsOf = z.registry<{ find(value: unknown): Iterable<UnknownField> }>();

/** The errors of a strict request for fields that the schema does not name (contract, section 1). */
export const unknownFieldErrors = (schema: z.ZodType, body: unknown): ErrorDetail[] =>
  errorsOf(unknownFields(schema, body));

/** What may hold any JSON is not looked at. */
export function* unknownFields(
  schema: z.ZodType,
  value: unknown,
  path: readonly PropertyKey[] = [],
): Generator<UnknownField> {
  const own = unknownFieldsOf.get(schema);
  if (own) {
    for (const each of own.find(value)) yield { ...each, path: [...path, ...each.path] };
  } else if (schema instanceof z.ZodObject) {
    if (typeof value !== 'object' || value === null) return;
    const shape: Record<string, z.ZodType> = schema.shape;
    for (const [name, member] of Object.entries(value)) {
      if (Object.hasOwn(shape, name)) yield* unknownFields(shape[name]!, member, [...path, name]);
      else yield { path: [...path, name], known: Object.keys(shape) };
    }
  } else if (schema instanceof z.ZodArray) {
    if (!Array.isArray(value)) return;
    for (const [at, each] of value.entries()) yield* unknownFields(schema.element as z.ZodType, each, [...path, at]);
  } else {
    const inner = innerOf(schema);
    if (inner) yield* unknownFields(inner, value, path);
  }
}

/** The schema of the value as it was sent. */
function innerOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodPipe) return (schema.in instanceof z.ZodTransform ? schema.out : schema.in) as z.ZodType;
  const isWrapper = [z.ZodOptional, z.ZodNullable, z.ZodDefault, z.ZodCatch].some((kind) => schema instanceof kind);
  return isWrapper ? ((schema as z.ZodOptional).unwrap() as z.ZodType) : undefined;
}

/** A body can have a million unknown fields. */
export function errorsOf(fields: Iterable<UnknownField>): ErrorDetail[] {
  const errors: ErrorDetail[] = [];
  for (const { path, known } of fields) {
    if (errors.length === maxErrorDetails) break;
    const meant = similarTo(String(path.at(-1)), known);
    const hint = meant === undefined ? '' : `: did you mean ${meant}?`;
    errors.push({ path: pointer(path), message: `is not a known field${hint}` });
  }
  return errors;
}
