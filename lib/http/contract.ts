import type * as z from 'zod';
import type { ProblemCode } from '../domain/problem.ts';
import type { RouteId } from '../routes.ts';

/**
 * What one endpoint takes and answers. The very schemas here validate requests and make the OpenAPI document; path,
 * methods and access stand in `lib/routes.ts` under the same id.
 */
export type Contract<Body extends z.ZodType = z.ZodType, Query extends z.ZodType = z.ZodType> = {
  id: RouteId;
  /** One of the parts of the specification. */
  tag: string;
  summary: string;
  description?: string;
  /** Of the parsed JSON body, which is an object. Faults are 422. */
  body?: Body;
  /** Of the query parameters, as strings. Faults are 400. */
  query?: Query;
  /** Schema of each successful answer by status. */
  answers: Record<number, { description: string; schema?: z.ZodType; headers?: Record<string, string> }>;
  /** The errors it can answer, beside those that every endpoint of its kind can. */
  problems?: readonly ProblemCode[];
};

/** Keeps the types of the schemas while checking the shape. */
export const contract = <Body extends z.ZodType = z.ZodNever, Query extends z.ZodType = z.ZodNever>(
  definition: Contract<Body, Query>,
): Contract<Body, Query> => definition;
