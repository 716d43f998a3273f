import * as z from 'zod';
import { type Position, type SortColumn, type SortDirection, sortColumns } from './directory.ts';
import type { ErrorDetail } from './problem.ts';

/** A query of the list of contacts. `unique_id`, `search` and `updated_since` filter nothing if they are empty. */
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

/** The parameters in the request. */
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

/** A query and the position after which its next page starts. */
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

/** The cursor as text. It contains data of a contact and the search text, so seal it before you return it. */
export const writeCursor = ({ query, after }: Cursor): string => JSON.stringify({ query, after });

/** Returns `undefined` for a cursor from an earlier version of the service. */
export const readCursor = (text: string): Cursor | undefined => cursorSchema.safeParse(JSON.parse(text)).data;

/** Errors of parameters that are sent with a cursor and differ from the query that returned it. */
export function contradictions(sent: ListParameters, { query }: Cursor): ErrorDetail[] {
  const names = Object.keys(query) as (keyof ListQuery)[];
  return names
    .filter((name) => sent[name] !== undefined && sent[name] !== query[name])
    .map((name) => ({
      path: name,
      message: 'must be the same as in the request that returned the cursor, or be left out',
    }));
}
