import * as z from 'zod';
import type { JsonObject } from '../domain/values/json.ts';
import {
  type ErrorDetail,
  internalFailure,
  maxErrorDetails,
  Problem,
  pointer,
  validationFailed,
} from '../domain/values/problem.ts';
import type { Contract } from './contract.ts';
import type { Event } from './request.ts';

/** A validated part of the request, or its errors. `cause`: the code failed on records, which are errors therefore. */
export type Checked<T> = { value: T; errors: readonly ErrorDetail[]; cause?: unknown };

/** The errors that a schema found, with JSON Pointers. */
const errorDetailsOf = (error: z.ZodError): ErrorDetail[] =>
  error.issues.slice(0, maxErrorDetails).map((issue) => ({ path: pointer(issue.path), message: issue.message }));

export function checkedBody<Schema extends z.ZodType>(schema: Schema, body: unknown): Checked<z.output<Schema>> {
  try {
    const result = schema.safeParse(body);
    if (result.success) return { value: result.data, errors: [] };
    return { value: undefined as z.output<Schema>, errors: errorDetailsOf(result.error) };
  } catch (cause) {
    return { value: undefined as z.output<Schema>, errors: failedRecords(schema, body as JsonObject), cause };
  }
}

/** The records of a list that the code fails on also when each is sent alone, or the whole body. */
function failedRecords(schema: z.ZodType, body: JsonObject): ErrorDetail[] {
  const failed = ['contacts', 'records'].flatMap((name) => {
    const records = body[name];
    if (!Array.isArray(records)) return [];
    return records.flatMap((record, at) => (fails(schema, { ...body, [name]: [record] }) ? [`/${name}/${at}`] : []));
  });
  return (failed.length > 0 ? failed : ['']).map((path) => ({ path, message: internalFailure }));
}

function fails(schema: z.ZodType, body: JsonObject): boolean {
  try {
    schema.safeParse(body);
    return false;
  } catch {
    return true;
  }
}

/** @throws Problem 422 with every error. */
export function validBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  strictErrors: readonly ErrorDetail[] = [],
): z.output<Schema> {
  const { value, errors, cause } = checkedBody(schema, body);
  if (errors.length + strictErrors.length > 0) throw validationFailed([...errors, ...strictErrors], cause);
  return value;
}

/** Reports errors that only the store can find together with those of the parameters. @throws Problem */
export async function validatedWith<T>(
  validate: () => T,
  otherErrors: () => Promise<readonly ErrorDetail[]>,
): Promise<T> {
  try {
    return validate();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid_request') throw error;
    const { details = [] } = error;
    const others = await otherErrors();
    const named = new Set(details.map(({ path }) => path));
    throw new Problem('invalid_request', [...details, ...others.filter(({ path }) => !named.has(path))]);
  }
}

/**
 * Validates the query parameters. A repeated parameter is an error, because its value is ambiguous, unless it is a list.
 */
export function checkedQuery<Schema extends z.ZodType>(
  schema: Schema,
  { rawQueryString, queryStringParameters = {} }: Event,
  meaningless: Contract['meaningless'] = () => [],
): Checked<z.output<Schema>> {
  const ignored = meaningless(queryStringParameters);
  const isSingle = (name: string) => singleParameters(schema).has(name) && !ignored.includes(name);
  const repeated = repeatedParameters(rawQueryString).filter(isSingle);
  const sent = Object.entries(queryStringParameters).filter(([name]) => !ignored.includes(name));
  const result = schema.safeParse(Object.fromEntries(sent));
  const issues = result.success ? [] : result.error.issues;
  const errors = [
    ...repeated.map((path) => ({ path, message: 'must be sent once' })),
    ...issues
      .map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }))
      .filter(({ path }) => !repeated.includes(path)),
  ];
  return { value: result.data as z.output<Schema>, errors };
}

function repeatedParameters(rawQuery: string): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of new URLSearchParams(rawQuery).keys()) (seen.has(name) ? repeated : seen).add(name);
  return [...repeated];
}

/** The names of the query parameters in a schema that are no lists. Others are ignored. */
function singleParameters(schema: z.ZodType): ReadonlySet<string> {
  if (schema instanceof z.ZodPipe) return singleParameters(schema.in as z.ZodType);
  const parameters = schema instanceof z.ZodObject ? Object.entries<z.ZodType>(schema.shape) : [];
  return new Set(parameters.flatMap(([name, parameter]) => (parameter.meta()?.type === 'array' ? [] : [name])));
}
