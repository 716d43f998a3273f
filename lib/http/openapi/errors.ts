import * as z from 'zod';
import { maxErrorDetails, type ProblemCode } from '../../domain/problem.ts';
import type { Route } from '../../routes.ts';
import type { Contract } from '../contract.ts';
import { problems } from '../errors.ts';
import { type Exchange, namedBodies } from './exchanges.ts';
import type { JsonSchema, SchemaWriter } from './schemas.ts';

const codes = Object.keys(problems) as ProblemCode[];
const describing = new Set<ProblemCode>(['invalid_request', 'validation_failed']);
const codesOf = (id: string, are: (code: ProblemCode) => boolean) =>
  z
    .enum(codes.filter((code) => code !== 'invalid_token' && are(code)) as [ProblemCode])
    .meta({ id, description: 'The code to decide by.' });

const error = z
  .object({
    path: z.string().meta({ description: 'JSON Pointer into the body, or the name of a query parameter.' }),
    message: z.string().meta({ description: 'What is wrong there, for people; may change.' }),
  })
  .meta({ id: 'ErrorDetail', description: 'One fault of a request.' });
const shared = {
  message: z.string().meta({ description: 'For people; may change.' }),
  request_id: z.string().meta({ description: 'Names this request in our log, as the header `x-request-id` does.' }),
};
const details = z.array(error).max(maxErrorDetails).meta({ description: 'All errors of the request, up to 100.' });
const schemas = {
  error: z
    .object({ error: codesOf('ErrorCode', (code) => !describing.has(code)), ...shared })
    .meta({ id: 'ErrorResponse', description: 'Why there is no other answer.' }),
  described: z
    .object({ error: codesOf('ErrorCodeWithDetails', (code) => describing.has(code)), ...shared, details })
    .meta({ id: 'ErrorResponseWithDetails', description: 'Why the request was refused, fault by fault.' }),
  invalidToken: z
    .object({ error: z.literal('invalid_token').meta({ description: 'The code to decide by.' }) })
    .meta({ id: 'InvalidToken', description: 'The token does not count; the specification gives this very body.' }),
  gateway: z.object({ message: z.string().meta({ description: 'For people; may change.' }) }).meta({
    id: 'GatewayError',
    description: 'What the gateway answers before the service is reached; without `Retry-After` and `x-request-id`.',
  }),
};

/** The errors that the gateway in front can answer by itself, in its own shape. */
const alsoFromGateway: ReadonlySet<ProblemCode> = new Set([
  'invalid_request',
  'payload_too_large',
  'too_many_requests',
  'internal_error',
  'unavailable',
]);

/** Every error that an operation can answer: by what it takes, and what its contract adds. */
export function problemsOf(route: Route, contract: Contract): ProblemCode[] {
  const codes: ProblemCode[] = [
    ...(route.access === 'bearer' ? (['invalid_token', 'insufficient_scope'] as const) : []),
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

/**
 * One response for each error that an operation can answer. The examples are no operation's own: where one was
 * recorded, {@link errorAnswer} shows it with its operation.
 */
export function errorResponses(writer: SchemaWriter, isUsed: (name: string) => boolean): Record<string, JsonSchema> {
  const answered = codes.filter((code) => isUsed(responseName(code)));
  return Object.fromEntries(
    answered.map((code) => [responseName(code), errorResponse([code], writer, examplesOf([code]))]),
  );
}

/**
 * The errors that an operation answers with one status: with what was recorded of them there, else the response that
 * all operations share.
 */
export function errorAnswer(codes: readonly ProblemCode[], writer: SchemaWriter, own: readonly Exchange[]): JsonSchema {
  const recorded = own.filter((exchange) => codes.some((code) => tells(exchange, code)));
  const [code] = codes;
  if (code && codes.length === 1 && recorded.length === 0) {
    return { $ref: `#/components/responses/${responseName(code)}` };
  }
  const unrecorded = codes.filter((code) => !recorded.some((exchange) => tells(exchange, code)));
  return errorResponse(codes, writer, { ...namedBodies(recorded, 'response'), ...examplesOf(unrecorded) });
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
    code === 'invalid_token' ? schemas.invalidToken : describing.has(code) ? schemas.described : schemas.error;
  return [own, ...(alsoFromGateway.has(code) ? [schemas.gateway] : [])].map((each) => schemaOf(each, 'output'));
}

/** The token endpoint's refusals have a form of their own. */
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

/** The headers that answers of every kind may carry. */
export const commonHeaders = {
  RequestId: { description: 'Names this request in our log.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait before sending again.', schema: { type: 'integer', minimum: 0 } },
  ScopeChallenge: {
    description:
      '`Bearer error="insufficient_scope"`, with the scopes that the call needs as `scope` (RFC 6750, section 3).',
    schema: { type: 'string' },
  },
  BearerChallenge: {
    description: '`Bearer`, with `error="invalid_token"` when credentials came (RFC 6750, section 3).',
    schema: { type: 'string' },
  },
};

/** The error as it looks anywhere. */
function exampleOf(code: ProblemCode): JsonSchema {
  if (code === 'invalid_token') return { error: code };
  const details = [{ path: '/field', message: 'what is wrong with this field' }];
  const common = { error: code, message: problems[code].message, request_id: 'JKJaXmPLvHcESHA=' };
  return describing.has(code) ? { ...common, details } : common;
}

/** The errors as a table for people. */
export const errorTable = [
  '| status | `error` | |',
  '|---|---|---|',
  ...codes.map((code) => `| ${problems[code].status} | \`${code}\` | ${problems[code].message} |`),
].join('\n');
