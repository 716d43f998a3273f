import * as z from 'zod';
import { type Position, type SortColumn, type SortDirection, sortColumns } from './directory.ts';
import type { ErrorDetail } from './problem.ts';

/** What a list of contacts is asked for; `unique_id`, `search` and `updated_since` are empty where they filter nothing. */
export type ListQuery = {
  unique_id: string;
  search: string;
  updated_since: string;
  sort_column: SortColumn;
  sort_direction: SortDirection;
  limit: number;
  offset: number;
};

export const listLimits = { default: 20, maximum: 100 } as const;

/** Parameters as they were sent. */
export type ListParameters = { [Name in keyof ListQuery]?: ListQuery[Name] | undefined };

export const queryOf = (sent: ListParameters): ListQuery => ({
  unique_id: sent.unique_id ?? '',
  search: sent.search ?? '',
  updated_since: sent.updated_since ?? '',
  sort_column: sent.sort_column ?? 'inserted_at',
  sort_direction: sent.sort_direction ?? 'asc',
  limit: sent.limit ?? listLimits.default,
  offset: sent.offset ?? 0,
});

/** A query and the place after which its next page starts. */
export type Cursor = { query: ListQuery; after: Position };

const cursorSchema = z.object({
  query: z.object({
    unique_id: z.string(),
    search: z.string(),
    updated_since: z.string(),
    sort_column: z.enum(sortColumns),
    sort_direction: z.enum(['asc', 'desc']),
    limit: z.number(),
    offset: z.number(),
  }),
  after: z.object({ value: z.string().nullable(), id: z.string() }),
});

/** The cursor as text. It holds a contact's field and perhaps a name that was searched for: seal it before it leaves. */
export const writeCursor = ({ query, after }: Cursor): string => JSON.stringify({ query, after });

/** `undefined` for one that an earlier version of the service made. */
export const readCursor = (text: string): Cursor | undefined => cursorSchema.safeParse(JSON.parse(text)).data;

/** A cursor belongs to the query that gave it: parameters that were sent with it must be that query's. */
export function contradictions(sent: ListParameters, { query }: Cursor): ErrorDetail[] {
  const names = Object.keys(query) as (keyof ListQuery)[];
  return names
    .filter((name) => sent[name] !== undefined && sent[name] !== query[name])
    .map((name) => ({ path: name, message: 'must be as in the query that gave the cursor, or be left out' }));
}
