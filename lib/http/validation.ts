import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { type Fault, maxFaults, Problem, pointer } from '../domain/problem.ts';

/** What a schema made of a part of the request, or its faults. */
export type Checked<T> = { value: T; faults: readonly Fault[] };

/** The faults that a schema found, with JSON Pointers. */
export const faultsOf = (error: z.ZodError): Fault[] =>
  error.issues.slice(0, maxFaults).map((issue) => ({ path: pointer(issue.path), message: issue.message }));

export function checkedBody<Schema extends z.ZodType>(schema: Schema, body: unknown): Checked<z.output<Schema>> {
  const result = schema.safeParse(body);
  if (result.success) return { value: result.data, faults: [] };
  return { value: undefined as z.output<Schema>, faults: faultsOf(result.error) };
}

/** @throws Problem 422 naming every fault. */
export function validBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const { value, faults } = checkedBody(schema, body);
  if (faults.length > 0) throw new Problem('validation_failed', faults);
  return value;
}

/** The query parameters by the schema; of one that was sent twice nobody could tell which value counts. */
export function checkedQuery<Schema extends z.ZodType>(
  schema: Schema,
  { rawQueryString = '', queryStringParameters = {} }: APIGatewayProxyEventV2,
): Checked<z.output<Schema>> {
  const repeated = repeatedParameters(rawQueryString).filter((name) => namesOf(schema).has(name));
  const result = schema.safeParse(queryStringParameters);
  const issues = result.success ? [] : result.error.issues;
  const faults = [
    ...repeated.map((path) => ({ path, message: 'must be sent once' })),
    ...issues
      .map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }))
      .filter(({ path }) => !repeated.includes(path)),
  ];
  return { value: result.data as z.output<Schema>, faults };
}

function repeatedParameters(rawQuery: string): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of new URLSearchParams(rawQuery).keys()) (seen.has(name) ? repeated : seen).add(name);
  return [...repeated];
}

/** The parameters that a schema of query parameters knows; others are ignored. */
function namesOf(schema: z.ZodType): ReadonlySet<string> {
  if (schema instanceof z.ZodPipe) return namesOf(schema.in as z.ZodType);
  return new Set(schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);
}
