import * as z from 'zod';
import type { ProblemCode } from '../../domain/problem.ts';
import type { Route } from '../../routes.ts';
import type { Contract } from '../contract.ts';
import { problems } from '../errors.ts';
import type { JsonSchema, SchemaWriter } from './schemas.ts';

const fault = z.object({
  path: z.string().meta({ description: 'JSON Pointer into the body, or the name of a query parameter.' }),
  message: z.string(),
});
const shared = {
  error: z.string().meta({ description: 'The code to decide by.' }),
  message: z.string().meta({ description: 'For people; may change.' }),
  request_id: z.string(),
};
const schemas = {
  error: z.object(shared).meta({ id: 'Error' }),
  described: z.object({ ...shared, details: z.array(fault).max(100) }).meta({ id: 'ErrorWithDetails' }),
  invalidToken: z.object({ error: z.literal('invalid_token') }).meta({ id: 'InvalidToken' }),
  gateway: z.object({ message: z.string() }).meta({
    id: 'GatewayError',
    description: 'What the gateway answers before the service is reached; it has no Retry-After.',
  }),
};

/** The errors that the gateway in front can answer by itself, in its own shape. */
const alsoFromGateway: ReadonlySet<ProblemCode> = new Set([
  'invalid_request',
  'payload_too_large',
  'too_many_requests',
  'unavailable',
]);

/** Every error that an operation can answer: by what it takes, and what its contract adds. */
export function problemsOf(route: Route, contract: Contract): ProblemCode[] {
  const codes: ProblemCode[] = [
    ...(route.access === 'bearer' ? (['invalid_token'] as const) : []),
    ...(contract.body ? (['invalid_request', 'unsupported_media_type', 'validation_failed'] as const) : []),
    // What is too large for the gateway does not even reach an endpoint that reads its body by itself.
    ...(contract.body || contract.ownBody ? (['payload_too_large'] as const) : []),
    ...(contract.query ? (['invalid_request'] as const) : []),
    // A path whose percent-encoding is broken is refused by the gateway.
    ...(route.path.includes('{') ? (['invalid_request', 'not_found'] as const) : []),
    'too_many_requests',
    'internal_error',
    'unavailable',
    ...(contract.problems ?? []),
  ];
  return [...new Set(codes)];
}

/** `invalid_request` is `InvalidRequest` among the document's responses. */
export const responseName = (code: ProblemCode): string =>
  code
    .split('_')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');

/** One response for each error of the interface. */
export function errorResponses(writer: SchemaWriter): Record<string, JsonSchema> {
  const codes = Object.keys(problems) as ProblemCode[];
  return Object.fromEntries(codes.map((code) => [responseName(code), errorResponse(code, writer)]));
}

function errorResponse(code: ProblemCode, { schemaOf }: SchemaWriter): JsonSchema {
  const { status, message } = problems[code];
  const own = code === 'invalid_token' ? schemas.invalidToken : hasDetails(status) ? schemas.described : schemas.error;
  const schema = alsoFromGateway.has(code)
    ? { anyOf: [schemaOf(own, 'output'), schemaOf(schemas.gateway, 'output')] }
    : schemaOf(own, 'output');
  return {
    description: message,
    headers: { 'x-request-id': { $ref: '#/components/headers/RequestId' }, ...headersOf(code) },
    content: { 'application/json': { schema, example: exampleOf(code) } },
  };
}

function headersOf(code: ProblemCode): JsonSchema {
  const header = (description: string, type = 'string') => ({ description, schema: { type } });
  if (code === 'invalid_token') {
    return { 'www-authenticate': header('`Bearer`, with `error="invalid_token"` when credentials came.') };
  }
  if (code === 'too_many_requests' || code === 'unavailable') {
    return { 'retry-after': header('Seconds to wait before sending again.', 'integer') };
  }
  return code === 'method_not_allowed' ? { allow: header('The methods that the path takes.') } : {};
}

function exampleOf(code: ProblemCode): JsonSchema {
  if (code === 'invalid_token') return { error: code };
  const { status, message } = problems[code];
  const example = { error: code, message, request_id: 'JKJaXmPLvHcESHA=' };
  return hasDetails(status) ? { ...example, details: [{ path: '/birthdate', message: 'must be a string' }] } : example;
}

const hasDetails = (status: number) => status === 400 || status === 422;
