import * as z from 'zod';
import type { ErrorDetail } from './problem.ts';

/** A cursor that the service returns has at most so many characters (contract, section 1). */
export const maxCursorLength = 2000;

/** The cursor in a response. */
export const nextCursor = () =>
  z.string().max(maxCursorLength).optional().describe('If there is another page: the value of `cursor` for it');

/** A query and the position after which its next page starts. */
export type Cursor<Query, Position> = { query: Query; after: Position };

/** A list with pages. A cursor of one list is invalid for a list with another name. */
export type PagedList<Query, Position> = { name: string; query: z.ZodType<Query>; position: z.ZodType<Position> };
/** @param query has a default for each parameter that a request can leave out */
export const pagedList = <Query, Position>(
  name: string,
  query: z.ZodType<Query>,
  position: z.ZodType<Position>,
): PagedList<Query, Position> => ({ name, query, position });

/** The parameters of a query that a request has. */
export type Sent<Query> = { [Name in keyof Query]?: Query[Name] | undefined };

/** The cursor as text. It contains data of persons and the search text, so encrypt it before you return it. */
export const writeCursor = ({ query, after }: Cursor<unknown, unknown>): string => JSON.stringify({ query, after });

/** Returns `undefined` for a cursor whose query or position has another form. */
export const readCursor = <Query, Position>(
  { query, position }: PagedList<Query, Position>,
  text: string,
): Cursor<Query, Position> | undefined => z.object({ query, after: position }).safeParse(JSON.parse(text)).data;

/** Errors of parameters that are sent with a cursor and differ from the query that returned it. */
export function contradictions<Query extends object>(sent: Sent<Query>, query: Query): ErrorDetail[] {
  const names = Object.keys(query) as (keyof Query & string)[];
  return names
    .filter((name) => sent[name] !== undefined && sent[name] !== query[name])
    .map((name) => ({
      path: name,
      message: 'must be the same as in the request that returned the cursor, or be left out',
    }));
}
