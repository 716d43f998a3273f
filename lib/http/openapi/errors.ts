import * as z from 'zod';
import { maxErrorDetails, type ProblemCode } from '../../domain/values/problem.ts';
import type { Route } from '../../route.ts';
import type { Contract } from '../contract.ts';
import { problems } from '../errors.ts';
import { type Exchange, namedBodies } from './exchanges.ts';
import type { JsonSchema, SchemaWriter } from './schemas.ts';

const codes = Object.keys(problems) as ProblemCode[];
const withDetails = new Set<ProblemCode>(['invalid_request', 'validation_failed']);
const codesOf = (id: string, are: (code: ProblemCode) => boolean) =>
  z
    .enum(codes.filter((code) => code !== 'invalid_token' && are(code)) as [ProblemCode])
    .meta({ id, description: 'The error code. Use it to decide what to do.' });

const error = z
  .object({
    path: z.string().describe('JSON Pointer into the body, or the name of a query parameter.'),
    message: z.string().describe('What is wrong with this value, for people. The wording may change.'),
  })
  .meta({ id: 'ErrorDetail', description: 'One invalid field or parameter.' });
const shared = {
  message: z.string().describe('For people. The wording may change.'),
  request_id: z.string().describe('Id of this request in our log, also in the header `x-request-id`.'),
};
const details = z.array(error).max(maxErrorDetails).describe('All errors of the request, up to 100.');
const schemas = {
  error: z
    .object({ error: codesOf('ErrorCode', (code) => !withDetails.has(code)), ...shared, details: details.optional() })
    .meta({ id: 'ErrorResponse', description: 'Why the request failed.' }),
  described: z
    .object({ error: codesOf('ErrorCodeWithDetails', (code) => withDetails.has(code)), ...shared, details })
    .meta({ id: 'ErrorResponseWithDetails', description: 'Why the request failed, with every error.' }),
  invalidToken: z
    .object({ error: z.literal('invalid_token').describe('The error code.') })
    .meta({ id: 'InvalidToken', description: 'The access token is missing or invalid. The body has no other field.' }),
  gateway: z.object({ message: z.string().describe('For people. The wording may change.') }).meta({
    id: 'GatewayError',
    description: 'An error of the gateway in front of the service. It has no `Retry-After` and no `x-request-id`.',
  }),
};

/** The errors that API Gateway can send itself, in its own format. */
const alsoFromGateway: ReadonlySet<ProblemCode> = new Set([
  'invalid_request',
  'payload_too_large',
  'too_many_requests',
  'internal_error',
  'unavailable',
]);

/** Every error that an operation can have: by its route, its inputs and the additions of its contract. */
export function problemsOf(route: Route, contract: Contract): ProblemCode[] {
  const codes: ProblemCode[] = [
    ...(route.access === 'bearer' ? (['invalid_token', 'insufficient_scope'] as const) : []),
    ...(contract.body ? (['invalid_request', 'unsupported_media_type', 'validation_failed'] as const) : []),
    // API Gateway rejects bodies above its own limit, also for an endpoint that parses its body itself.
    ...(contract.body || contract.ownBody ? (['payload_too_large'] as const) : []),
    ...(contract.query ? (['invalid_request'] as const) : []),
    // API Gateway rejects a path with invalid percent-encoding (400).
    ...(route.path.includes('{') ? (['invalid_request', 'not_found'] as const) : []),
    'too_many_requests',
    'internal_error',
    'unavailable',
    ...(contract.problems ?? []),
  ];
  return [...new Set(codes)];
}

/** `invalid_request` becomes `InvalidRequest` among the responses of the document. */
const responseName = (code: ProblemCode): string =>
  code
    .split('_')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');

/**
 * One shared response for each error that an operation refers to, with a general example. {@link errorResponseOf} shows
 * recorded examples with their operations.
 */
export function errorResponses(writer: SchemaWriter, isUsed: (name: string) => boolean): Record<string, JsonSchema> {
  const used = codes.filter((code) => isUsed(responseName(code)));
  return Object.fromEntries(
    used.map((code) => [responseName(code), errorResponse([code], writer, examplesOf([code]))]),
  );
}

/**
 * The errors of an operation with one status: the recorded examples of this operation, or else a reference to the
 * shared response.
 */
export function errorResponseOf(
  codes: readonly ProblemCode[],
  writer: SchemaWriter,
  own: readonly Exchange[],
  isAlsoPage = false,
): JsonSchema {
  const recorded = own.filter((exchange) => codes.some((code) => tells(exchange, code)));
  const [code] = codes;
  if (code && codes.length === 1 && recorded.length === 0 && !isAlsoPage) {
    return { $ref: `#/components/responses/${responseName(code)}` };
  }
  const unrecorded = codes.filter((code) => !recorded.some((exchange) => tells(exchange, code)));
  const response = errorResponse(codes, writer, { ...namedBodies(recorded, 'response'), ...examplesOf(unrecorded) });
  const page = isAlsoPage ? { 'text/html': { schema: { type: 'string' } } } : {};
  return { ...response, content: { ...(response.content as JsonSchema), ...page } };
}

const examplesOf = (codes: readonly ProblemCode[]): JsonSchema =>
  Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }]));

function errorResponse(codes: readonly ProblemCode[], writer: SchemaWriter, examples: JsonSchema): JsonSchema {
  const parts = new Map(codes.flatMap((code) => schemasOf(code, writer)).map((each) => [JSON.stringify(each), each]));
  const [schema, ...others] = [...parts.values()];
  return {
    description: codes.map((code) => problems[code].message).join(' Or: '),
    headers: Object.assign({ 'x-request-id': { $ref: '#/components/headers/RequestId' } }, ...codes.map(headersOf)),
    content: { 'application/json': { schema: others.length > 0 ? { anyOf: [schema, ...others] } : schema, examples } },
  };
}

function schemasOf(code: ProblemCode, { schemaOf }: SchemaWriter): JsonSchema[] {
  const own =
    code === 'invalid_token' ? schemas.invalidToken : withDetails.has(code) ? schemas.described : schemas.error;
  return [own, ...(alsoFromGateway.has(code) ? [schemas.gateway] : [])].map((each) => schemaOf(each, 'output'));
}

/** The errors of the token endpoint have another format, with `error_description`. */
function tells({ response }: Exchange, code: ProblemCode): boolean {
  const body = (response.body ?? {}) as JsonSchema;
  return body.error === code && !('error_description' in body);
}

function headersOf(code: ProblemCode): JsonSchema {
  if (code === 'invalid_token') return { 'www-authenticate': { $ref: '#/components/headers/BearerChallenge' } };
  if (code === 'insufficient_scope') return { 'www-authenticate': { $ref: '#/components/headers/ScopeChallenge' } };
  const waits = code === 'too_many_requests' || code === 'unavailable';
  return waits ? { 'retry-after': { $ref: '#/components/headers/RetryAfter' } } : {};
}

/** Headers that several kinds of responses have. */
export const commonHeaders = {
  RequestId: { description: 'Id of this request in our log.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait before a retry.', schema: { type: 'integer', minimum: 0 } },
  ScopeChallenge: {
    description:
      '`Bearer error="insufficient_scope"`, with the scopes that the request needs as `scope` (RFC 6750, section 3).',
    schema: { type: 'string' },
  },
  BearerChallenge: {
    description: '`Bearer`, with `error="invalid_token"` if the request has credentials (RFC 6750, section 3).',
    schema: { type: 'string' },
  },
};

/** A general example of the error. */
function exampleOf(code: ProblemCode): JsonSchema {
  if (code === 'invalid_token') return { error: code };
  const details = [{ path: '/field', message: 'what is wrong with this field' }];
  const common = { error: code, message: problems[code].message, request_id: 'JKJaXmPLvHcESHA=' };
  return withDetails.has(code) ? { ...common, details } : common;
}

/** The errors as a Markdown table. */
export const errorTable = [
  '| status | `error` | message |',
  '|---|---|---|',
  ...codes.map((code) => `| ${problems[code].status} | \`${code}\` | ${problems[code].message} |`),
].join('\n');
