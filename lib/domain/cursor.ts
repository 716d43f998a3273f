import * as z from 'zod';
import { type Position, type SortColumn, type SortDirection, sortColumns } from './directory.ts';
import type { Fault } from './problem.ts';

/** What a list of contacts is asked for; `search` is empty where nothing is filtered. */
export type ListQuery = {
  search: string;
  sort_column: SortColumn;
  sort_direction: SortDirection;
  limit: number;
  offset: number;
};

export const listLimits = { default: 20, maximum: 100 } as const;

/** Parameters as they were sent. */
export type ListParameters = { [Name in keyof ListQuery]?: ListQuery[Name] | undefined };

export const queryOf = (sent: ListParameters): ListQuery => ({
  search: sent.search ?? '',
  sort_column: sent.sort_column ?? 'inserted_at',
  sort_direction: sent.sort_direction ?? 'asc',
  limit: sent.limit ?? listLimits.default,
  offset: sent.offset ?? 0,
});

/** A query and the place after which its next page starts. */
export type Cursor = { query: ListQuery; after: Position };

const cursorSchema = z.tuple([
  z.string(),
  z.enum(sortColumns),
  z.enum(['asc', 'desc']),
  z.number(),
  z.number(),
  z.string().nullable(),
  z.string(),
]);

/** The cursor as text. It holds a contact's field and perhaps a name that was searched for: seal it before it leaves. */
export function writeCursor({ query, after }: Cursor): string {
  const { search, sort_column, sort_direction, limit, offset } = query;
  return JSON.stringify([search, sort_column, sort_direction, limit, offset, after.value, after.id]);
}

export function readCursor(text: string): Cursor {
  const [search, sort_column, sort_direction, limit, offset, value, id] = cursorSchema.parse(JSON.parse(text));
  return { query: { search, sort_column, sort_direction, limit, offset }, after: { value, id } };
}

/** A cursor belongs to the query that gave it: parameters that were sent with it must be that query's. */
export function contradictions(sent: ListParameters, { query }: Cursor): Fault[] {
  const names = Object.keys(query) as (keyof ListQuery)[];
  return names
    .filter((name) => sent[name] !== undefined && sent[name] !== query[name])
    .map((name) => ({ path: name, message: 'must be as in the query that gave the cursor, or be left out' }));
}
