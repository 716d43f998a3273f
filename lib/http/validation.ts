import type * as z from 'zod';
import { type Fault, maxFaults, Problem, pointer } from '../domain/problem.ts';

/** The faults that a schema found, with JSON Pointers. */
export const faultsOf = (error: z.ZodError): Fault[] =>
  error.issues.slice(0, maxFaults).map((issue) => ({ path: pointer(issue.path), message: issue.message }));

/** @throws Problem 422 naming every fault. */
export function validBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new Problem('validation_failed', faultsOf(result.error));
}

/** @throws Problem 400 naming every parameter at fault. */
export function validQuery<Schema extends z.ZodType>(schema: Schema, query: unknown): z.output<Schema> {
  const result = schema.safeParse(query);
  if (result.success) return result.data;
  throw new Problem(
    'invalid_request',
    result.error.issues.map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message })),
  );
}
