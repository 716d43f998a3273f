import type { Route } from '../../route.ts';
import type { routes } from '../../routes.ts';
import type { Contract, DescribedContract } from '../contract.ts';
import { problems } from '../errors.ts';
import { preferParameter } from '../strict.ts';
import { errorResponseOf, problemsOf } from './errors.ts';
import { type Exchange, namedBodies, parametersOf } from './exchanges.ts';
import type { JsonSchema, SchemaWriter } from './schemas.ts';

type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;

/** A new path parameter does not compile until it is described here. */
const pathParameters: Record<ParametersOf<(typeof routes)[number]['path']>, JsonSchema> = {
  id: { description: "The resource's system id.", schema: { type: 'string', format: 'uuid' } },
  contact_id: { description: "The contact's system id.", schema: { type: 'string', format: 'uuid' } },
  template_id: { description: "The template's id.", schema: { type: 'string', format: 'uuid' } },
  journey_id: { description: "The journey's id.", schema: { type: 'string', format: 'uuid' } },
  channel_id: { description: "The engagement channel's id.", schema: { type: 'string', format: 'uuid' } },
  slug: { description: "The journey's slug.", schema: { type: 'string' } },
  reference: { description: 'The last part of the `url` that the search returned.', schema: { type: 'string' } },
  token: { description: 'The sealed part of a link in a message.', schema: { type: 'string' } },
  page_id: { description: "A page of the journey's template.", schema: { type: 'string', format: 'uuid' } },
  batch_id: {
    description: 'The id that the caller sent or that the service generated, percent-encoded.',
    schema: { type: 'string', maxLength: 128 },
  },
};

/**
 * One operation of the document, from its route, its contract and the exchanges that were recorded for it.
 */
export function operationOf(
  route: Route,
  method: string,
  contract: DescribedContract,
  { writer, exchanges }: { writer: SchemaWriter; exchanges: readonly Exchange[] },
): JsonSchema {
  const id = operationId(route, method);
  const own = exchanges.filter(({ operation }) => operation === id);
  const parameters = [
    ...pathParametersOf(route.path),
    ...queryParametersOf(contract, writer),
    ...(contract.conditional ? [conditions[contract.conditional]] : []),
    ...(takesPreference(contract) ? [preferParameter] : []),
  ];
  return {
    operationId: id,
    tags: [contract.tag],
    summary: contract.summary,
    ...(contract.description ? { description: contract.description } : {}),
    security: contract.scope ? [{ oauth2: [contract.scope] }, { bearer: [] }] : [],
    ...(parameters.length > 0 ? { parameters: parameters.map(withExample(route.path, own)) } : {}),
    ...requestBodyOf(contract, writer, own),
    responses: {
      ...responsesOf(contract, writer, own),
      ...(contract.conditional === 'reads' ? { 304: notModified } : {}),
      ...refusalsOf(route, contract, writer, own),
    },
  };
}

/** The route's id in camel case. If a route has several methods, the name of the method is added to all but the first. */
export function operationId(route: Route, method: string): string {
  const name = route.id.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return method === route.methods[0] ? name : `${name}By${method[0]}${method.slice(1).toLowerCase()}`;
}

const pathParametersOf = (path: string): JsonSchema[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    ...pathParameters[name as keyof typeof pathParameters],
  }));

function queryParametersOf(contract: Contract, { schemaOf }: SchemaWriter): JsonSchema[] {
  if (!contract.query) return [];
  const { properties, required } = schemaOf(contract.query, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(required?.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    ...(schema.type === 'object' ? { style: 'deepObject', explode: true } : {}),
    schema,
  }));
}

/**
 * Adds the value of the first recorded request as the example of a required parameter. Optional parameters get none,
 * because Swagger UI would send the example with every request.
 */
const withExample =
  (path: string, exchanges: readonly Exchange[]) =>
  (parameter: JsonSchema): JsonSchema => {
    const values = exchanges.filter(isSuccessful).map((each) => parametersOf(path, each).get(parameter.name as string));
    const value = values.find((each) => each !== undefined);
    return value === undefined || !parameter.required ? parameter : { ...parameter, example: value };
  };

/**
 * The body in the first of its media types. The description names the others, which have the same fields: if a document
 * has several media types for a body, generated code cannot decide which one to send.
 */
function requestBodyOf({ body, ownBody }: Contract, { schemaOf }: SchemaWriter, own: readonly Exchange[]): JsonSchema {
  const described = ownBody ?? (body && { mediaTypes: ['application/json'] as const, schema: body });
  if (!described) return {};
  const [type, ...others] = described.mediaTypes;
  const sent = own.filter((each) => isSuccessful(each) && each.request.headers['content-type'] === type);
  const media = { schema: schemaOf(described.schema, 'input'), ...examplesOf(sent, 'request') };
  const description =
    others.length > 0 ? { description: `The same fields can be sent as \`${others.join('`, `')}\`.` } : {};
  return { requestBody: { ...description, required: true, content: { [type]: media } } };
}

function responsesOf(contract: DescribedContract, { schemaOf }: SchemaWriter, own: readonly Exchange[]): JsonSchema {
  const announced = contract.deprecated ? announcement : {};
  const tagged = contract.conditional === 'reads' ? entityTagHeader : {};
  const responses = Object.entries(contract.responses).map(([status, { description, schema, mediaType, headers }]) => {
    const examples = examplesOf(
      own.filter(({ response }) => String(response.status) === status),
      'response',
    );
    return [
      status,
      {
        description,
        headers: {
          'x-request-id': { $ref: '#/components/headers/RequestId' },
          ...described(headers),
          ...tagged,
          ...announced,
          ...(takesPreference(contract)
            ? { 'preference-applied': { $ref: '#/components/headers/PreferenceApplied' } }
            : {}),
          ...(contract.body ? { 'unused-fields': { $ref: '#/components/headers/UnusedFields' } } : {}),
        },
        ...(schema ? { content: { 'application/json': { schema: schemaOf(schema, 'output'), ...examples } } } : {}),
        ...(mediaType ? { content: { [mediaType]: { schema: { type: 'string' } } } } : {}),
      },
    ];
  });
  return Object.fromEntries(responses);
}

/** The token endpoint has errors of its own format, and ignores what it does not know. */
const takesPreference = ({ body, ownBody }: Contract): boolean =>
  body !== undefined || ownBody?.mediaTypes[0] === 'application/json';

const isSuccessful = ({ response }: Exchange): boolean => response.status < 400;

function examplesOf(exchanges: readonly Exchange[], side: 'request' | 'response'): JsonSchema {
  const examples = namedBodies(exchanges, side);
  return Object.keys(examples).length > 0 ? { examples } : {};
}

const announcement = {
  deprecation: { $ref: '#/components/headers/Deprecation' },
  link: { $ref: '#/components/headers/DeprecationLink' },
};

const described = (headers: Record<string, string> = {}): JsonSchema =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );

function refusalsOf(
  route: Route,
  contract: DescribedContract,
  writer: SchemaWriter,
  own: readonly Exchange[],
): JsonSchema {
  const byStatus = Map.groupBy(problemsOf(route, contract), (code) => problems[code].status);
  const refusals = [...byStatus].filter(([status]) => !(status in contract.responses));
  return Object.fromEntries(
    refusals.map(([status, codes]) => [status, errorResponseOf(codes, writer, own, contract.hasErrorPages)]),
  );
}

/** The header parameter of a conditional request. */
export const conditions = {
  reads: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'Entity tags of responses that the client has. If the current one is among them, the response is 304, without a body.',
    schema: { type: 'string' },
  },
  writes: {
    name: 'If-Match',
    in: 'header',
    description:
      'Entity tag of an earlier response. If it is not the current one, the response is 412 and nothing is stored.',
    schema: { type: 'string' },
  },
} satisfies Record<NonNullable<Contract['conditional']>, JsonSchema>;

export const entityTagHeader = {
  etag: { description: 'Entity tag of the response (RFC 9110)', schema: { type: 'string' } },
};

export const notModified = {
  description: 'The client has the current representation',
  headers: { 'x-request-id': { $ref: '#/components/headers/RequestId' }, ...entityTagHeader },
};
