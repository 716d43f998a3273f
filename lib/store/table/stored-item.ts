import * as z from 'zod';
import { isJsonObject, isJsonScalar, readJson } from '../../domain/values/json.ts';
import type { Metadata } from '../../domain/values/metadata.ts';
import { Problem } from '../../domain/values/problem.ts';

/** An item does not match its schema: a defect, or a manual change. Names only the attributes, never stored values. */
export class InvalidStoredItem extends Problem {
  constructor(kind: string, fields: readonly string[]) {
    super('internal_error', undefined, { reason: `a stored ${kind} is invalid: ${fields.join(', ')}` });
  }
}

/**
 * Returns a function that reads items of one kind by their schema. Attributes that the schema does not name are
 * ignored. An attribute that may be absent is `optional` in the schema or has a default; `null` is not the same as
 * absent.
 * @throws InvalidStoredItem
 */
export function itemReader<Schema extends z.ZodType>(
  kind: string,
  schema: Schema,
): (item: unknown) => z.output<Schema> {
  return (item) => {
    const result = schema.safeParse(item);
    if (result.success) return result.data;
    // A message of the schema can contain a stored value, so only the path is reported.
    throw new InvalidStoredItem(kind, [...new Set(result.error.issues.map(({ path }) => path.join('.')))]);
  };
}

/** An attribute with a value as JSON text. */
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

/** An ISO 8601 time in UTC. Only the service writes it, so its format is not checked again. */
export const storedTime = z.string();
/** The version of an item, which the next write uses as its condition. */
export const storedVersion = z.int();

export const isMetadata = (value: unknown): value is Metadata =>
  isJsonObject(value) && Object.values(value).every(isJsonScalar);
/** One check for all keys. A schema for each of up to 1,000 keys would take longer than parsing the JSON. */
export const storedMetadata = z.custom<Metadata>(isMetadata);
