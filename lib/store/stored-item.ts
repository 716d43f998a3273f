import * as z from 'zod';
import { isJsonObject, isJsonScalar, readJson } from '../domain/json.ts';
import type { Metadata } from '../domain/metadata.ts';
import { Problem } from '../domain/problem.ts';

/** An item that does not fit its schema: a defect, or a change made by hand. Names attributes, never stored values. */
export class InvalidStoredItem extends Problem {
  constructor(kind: string, fields: readonly string[]) {
    super('internal_error', undefined, { reason: `a stored ${kind} is invalid: ${fields.join(', ')}` });
  }
}

/**
 * Reads items of one kind by their schema. Attributes that the schema does not name are ignored. An attribute that may
 * be absent is `optional` in the schema, or has a default; `null` is a value of its own.
 * @throws InvalidStoredItem
 */
export function itemReader<Schema extends z.ZodType>(
  kind: string,
  schema: Schema,
): (item: unknown) => z.output<Schema> {
  return (item) => {
    const result = schema.safeParse(item);
    if (result.success) return result.data;
    // A message of the schema may hold a stored value, so the path alone is told.
    throw new InvalidStoredItem(kind, [...new Set(result.error.issues.map(({ path }) => path.join('.')))]);
  };
}

/** An attribute that holds a value as JSON text. */
export const jsonText = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text, { addIssue }): unknown => {
      try {
        return readJson(text);
      } catch {
        addIssue('is not JSON');
        return z.NEVER;
      }
    })
    .pipe(schema);

/** An ISO 8601 time in UTC. Only the service writes it, so its form is not checked again. */
export const storedTime = z.string();
/** What a write over the item must still find. */
export const storedVersion = z.int();

export const isMetadata = (value: unknown): value is Metadata =>
  isJsonObject(value) && Object.values(value).every(isJsonScalar);
/** One check for all keys: a schema for each of up to 1,000 would take longer than reading the JSON. */
export const storedMetadata = z.custom<Metadata>(isMetadata);
