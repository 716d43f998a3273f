import * as z from 'zod';
import { pagedList, type Sent } from '../values/cursor.ts';
import { type Position, sortColumns } from './directory.ts';

export const listLimits = { default: 20, maximum: 100 } as const;

/** A query of the list of contacts. `unique_id`, `search` and `updated_since` filter nothing if they are empty. */
const listQuery = z.object({
  unique_id: z.string().default(''),
  search: z.string().default(''),
  updated_since: z.string().default(''),
  sort_column: z.enum(sortColumns).default('inserted_at'),
  sort_direction: z.enum(['asc', 'desc']).default('asc'),
  limit: z.number().default(listLimits.default),
  offset: z.number().default(0),
});
export type ListQuery = z.output<typeof listQuery>;
export type ListParameters = Sent<ListQuery>;

/** A position whose value is longer than a cursor can contain has only the start of the value, and a digest of it. */
const cursorPosition = z.object({ value: z.string().nullable(), id: z.string(), digest: z.string().optional() });
export type CursorPosition = z.output<typeof cursorPosition>;

/** Characters of a value in a cursor, each at most six bytes of JSON. */
const maxValueLength = 40;

export const shortened = (position: Position, digestOf: (text: string) => string): CursorPosition => {
  const { value, id } = position;
  if (value === null || value.length <= maxValueLength) return position;
  return { value: value.slice(0, maxValueLength), id, digest: digestOf(value) };
};

/** Where to continue if the value of a shortened position is no longer known: before all values with this start. */
export const startOf = ({ value }: CursorPosition, direction: ListQuery['sort_direction']): Position => ({
  value: direction === 'asc' ? value : value + afterAllValues,
  id: '',
});
/** Longer than a value, and each character is the last one in the order of characters. */
const afterAllValues = '\uffff'.repeat(4096);

/** A longer search text is in the cursor as a digest, and must be sent again. */
const maxSearchBytes = 800;
/** Begins a digest. Parameters cannot contain it, because it is no well-formed Unicode. */
const digestMark = '\ud800';

export const fitsCursor = (search: string): boolean => Buffer.byteLength(JSON.stringify(search)) <= maxSearchBytes;
export const searchInCursor = (search: string, digestOf: (text: string) => string): string =>
  fitsCursor(search) ? search : digestMark + digestOf(search);
export const isSearchDigest = (search: string): boolean => search.startsWith(digestMark);

export const contactListPages = pagedList('contact list', listQuery, cursorPosition);
