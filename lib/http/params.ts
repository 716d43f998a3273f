import * as z from 'zod';
import { exactInstant } from '../domain/contacts/objective.ts';
import { maxChunkIndex } from '../domain/imports/batch.ts';
import { maxCursorLength } from '../domain/values/cursor.ts';
import { utcDateTime } from '../domain/values/fields.ts';
import { notFound } from '../domain/values/problem.ts';
import { isUuid } from '../domain/values/uuid.ts';

const idHint =
  'The id in the path must be a UUID. To find a contact by its unique_id, use GET /v1/contacts?unique_id=.';

/** A system id from the path. @throws Problem `not_found` if it is not a UUID. */
export function idParam(params: Record<string, string>, name: string): string {
  const id = params[name]?.toLowerCase() ?? '';
  if (!isUuid(id)) throw notFound(idHint);
  return id;
}

type WholeNumber = { description: string; minimum: number; maximum: number; default?: number };

/** An optional query parameter that is a whole number. */
export const wholeNumber = (range: WholeNumber) =>
  z
    .string()
    .refine(
      (value) => /^\d+$/.test(value) && Number(value) >= range.minimum && Number(value) <= range.maximum,
      `must be a whole number from ${range.minimum} to ${range.maximum}`,
    )
    .transform(Number)
    .optional()
    .meta({ type: 'integer', ...range });

export const chunkIndexParam = () =>
  wholeNumber({
    description: 'Returns only the chunk with this `chunk_index`, and all its rejected records',
    minimum: 0,
    maximum: maxChunkIndex,
  });

/** An optional query parameter that is a time. An empty one filters nothing. */
export const timeParam = (description: string) =>
  z
    .string()
    .refine((value) => value === '' || exactInstant(value) !== undefined, 'must be an ISO 8601 date-time with Z')
    .transform((value) => exactInstant(value) ?? '')
    .optional()
    .meta({ description, pattern: `^$|${utcDateTime.source}`, examples: ['2026-03-12T19:03:58Z'] });

/** The query parameters of a list in pages. @param objects what the list contains, in plural */
export const paging = (objects: string, limits: { maximum: number; default: number }) => ({
  limit: wholeNumber({ description: `${objects} per page`, minimum: 1, ...limits }),
  cursor: cursorParam(),
});

/** The query parameter that continues a list. */
export const cursorParam = () =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(maxCursorLength, `must have at most ${maxCursorLength} characters`)
    .optional()
    .describe('`next_cursor` of the previous page. Other parameters must be the same as before, or absent');
