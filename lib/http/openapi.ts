import { scopeDescriptions } from '../domain/access/scope.ts';
import { urlAt } from '../domain/values/url.ts';
import type { Route } from '../route.ts';
import { routes } from '../routes.ts';
import type { DescribedContract } from './contract.ts';
import { tags } from './contract.ts';
import { deprecationHeaders } from './deprecation.ts';
import { commonHeaders, errorResponses, errorTable } from './openapi/errors.ts';
import { type Exchange, exchangesAt } from './openapi/exchanges.ts';
import { operationOf } from './openapi/operation.ts';
import { type JsonSchema, type SchemaWriter, schemaWriter } from './openapi/schemas.ts';
import { webhooksOf } from './openapi/webhooks.ts';
import { preferenceAppliedHeader, unusedFieldsDescription } from './strict.ts';

/** Version of the interface. The paths contain its major part. */
const version = '1.0.0';

const description = `Contacts, accounts and campaigns of a financial institution.

- Requests and responses are JSON. Field names are in snake_case. Unknown fields and query parameters are ignored. With \`Prefer: handling=strict\`, an unknown field is an error, and so is a value that is stored but cannot be used, such as an email without \`@\`.
- A field that is sent is set. A field that is absent keeps its value. An explicit \`null\` clears the field.
- Timestamps are ISO 8601 in UTC. Ids are UUIDs. Strings must be well-formed Unicode: a lone surrogate is invalid.
- Metadata (\`meta_public\`, \`meta_private\`) can have up to 1,000 flattened keys and 16 KB of JSON each, after merging with the stored keys.
- Each operation names the scope that the access token must have. Without it the response is 403.
- An access token belongs to one team. For objects of another team the response is 404.
- All errors of a request are reported together, up to 100. A request with an error stores nothing.
- A read by id sees every acknowledged write. Lists and searches can be behind by a moment.
- You can retry after 429, 500 and 503. A repeated upsert changes nothing. A repeated chunk is recognized by its \`batch_id\` and \`chunk_index\`. A batch request without \`chunk_index\` is imported again.
- Every response of the service has \`x-request-id\`. Quote it when you report an error.
- \`HEAD\` works as \`GET\`, without the body. With \`Accept-Encoding: gzip\`, JSON and HTML of 4 KB and more are compressed.
- A single contact has an \`ETag\`. Send it as \`If-Match\` to update only that version, or as \`If-None-Match\` to read only a newer one.
- Bodies are UTF-8 and at most 4 MB, or 16 KB for endpoints without a token. Identifiers must not contain U+FFFD or the control characters U+0080 to U+009F, which are the result of a wrong encoding.
- The examples were recorded with a running service. Ids and times are made up, and secrets are replaced by names.

## Errors

Use the status or \`error\` to decide what to do. A 400 or 422 has \`details\`, each with a \`path\` and a \`message\`.

${errorTable}

A 405 has the header \`Allow\`, which lists the supported methods. An unknown path is 404, as an unknown object is. Errors of the token endpoint have the format of RFC 6749, section 5.2.

The gateway in front of the service can also send errors. Their body is \`{"message": …}\`, without \`Retry-After\` and \`x-request-id\`: 400 (the path is not percent-encoded UTF-8), 413 (over about 5 MB), 429 (too many requests at once), 500, 503 (no response within 30 seconds).

## Deprecation

\`unsubscribe_email\` and \`unsubscribe_sms\` are deprecated and will be removed. Send \`email_opted_in\` and \`sms_opted_in\` instead, with the inverse value. If a request has a deprecated field, the response has \`Deprecation: @<Unix time>\` (RFC 9745) and a \`Link\` with \`rel="deprecation"\` to this document, whatever its status.`;

/**
 * The interface as an OpenAPI 3.1 document, generated from the route list and the schemas that validate requests.
 * @param contracts of all endpoints, as `functions/contracts.ts` has them
 * @param recorded exchanges with a running service, which become examples
 * @param whole include the operations that only the service's own pages call
 */
export function openApiDocument(
  contracts: readonly DescribedContract[],
  baseUrl: string,
  { recorded = [], whole = false }: { recorded?: readonly Exchange[]; whole?: boolean } = {},
): JsonSchema & { openapi: string; paths: Record<string, JsonSchema> } {
  const writer = schemaWriter();
  const exchanges = exchangesAt(baseUrl, recorded);
  const paths = pathsOf(whole ? contracts : contracts.filter(({ ofOwnPages }) => !ofOwnPages), writer, exchanges);
  const webhooks = webhooksOf(writer);
  const named = JSON.stringify(paths);
  const responses = errorResponses(writer, (name) => named.includes(`"#/components/responses/${name}"`));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Onboarding Service',
      version,
      description,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: baseUrl, description: 'This installation' }],
    security: [{ oauth2: [] }, { bearer: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: securitySchemes(baseUrl),
      headers: {
        ...commonHeaders,
        ...deprecationHeaders,
        PreferenceApplied: preferenceAppliedHeader,
        UnusedFields: unusedFieldsDescription,
      },
      responses,
      schemas: Object.fromEntries(Object.entries(writer.components).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function pathsOf(
  described: readonly DescribedContract[],
  writer: SchemaWriter,
  exchanges: readonly Exchange[],
): Record<string, JsonSchema> {
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes as readonly Route[]) {
    const contract = described.find(({ id }) => id === route.id);
    if (!contract) continue;
    for (const method of route.methods) {
      paths[route.path] ??= {};
      paths[route.path]![method.toLowerCase()] = operationOf(route, method, contract, { writer, exchanges });
    }
  }
  return paths;
}

const securitySchemes = (baseUrl: string) => ({
  oauth2: {
    type: 'oauth2',
    description: 'Exchanges a client id and secret, which an administrator creates, for an access token.',
    flows: { clientCredentials: { tokenUrl: urlAt(baseUrl, '/oauth2/token'), scopes: scopeDescriptions } },
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token that you already have, sent as `Authorization: Bearer <token>`.',
  },
});
