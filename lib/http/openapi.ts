import { scopeDescriptions } from '../domain/scope.ts';
import { urlAt } from '../domain/url.ts';
import { type Route, routes } from '../routes.ts';
import type { Contract, Tag } from './contract.ts';
import { contracts } from './contracts/all.ts';
import { deprecationHeaders } from './deprecation.ts';
import { commonHeaders, errorResponses, errorTable } from './openapi/errors.ts';
import { type Exchange, exchangesAt } from './openapi/exchanges.ts';
import { operationOf } from './openapi/operation.ts';
import { type JsonSchema, type SchemaWriter, schemaWriter } from './openapi/schemas.ts';

/** Version of the interface: the paths carry its major part. */
const version = '1.0.0';

const description = `Contacts, accounts and campaigns of a financial institution.

- JSON in, JSON out. Field names are snake_case. Unknown fields and query parameters are ignored.
- A field that is sent is set, one that is absent keeps its value, an explicit \`null\` clears it.
- Timestamps are ISO 8601 in UTC. Ids are UUIDs. Text is well-formed Unicode: a lone surrogate is refused.
- Metadata (\`meta_public\`, \`meta_private\`) hold at most 1,000 flattened keys and 16 KB of JSON each, merged with what is stored.
- Each operation names the scope that a token must hold for it (403 without it).
- A token is bound to one team: what belongs to another team does not exist for it (404).
- All errors of a request are reported together, up to 100, and then nothing of it is stored.
- Reads by id see every acknowledged write; lists and searches may trail by a moment.
- A 429, 500 or 503 may be sent again: upserts repeat harmlessly, and batch chunks are recognised by \`batch_id\` and \`chunk_index\`.
- Every answer of the service carries \`x-request-id\`. Quote it when you report a error.
- \`HEAD\` is answered as \`GET\`, without the body. With \`Accept-Encoding: gzip\`, JSON and HTML of 4 KB and more come compressed.
- Bodies are UTF-8, at most 4 MB, and 16 KB where no token is needed. U+FFFD, the trace of a broken encoding, is refused in what identifies.
- Examples were recorded against a running service; ids and times are made up, and what is secret has a name in its place.

## Errors

Decide by the status or by \`error\`. A 400 or 422 has \`details\`, each with a \`path\` and a \`message\`.

${errorTable}

A 405 comes with \`Allow\`, which names the methods that the address takes. An unknown address answers 404 as an unknown object does. The token endpoint refuses as RFC 6749, section 5.2, says.

What the gateway refuses before the service is reached has a body of its own, \`{"message": …}\`, and neither \`Retry-After\` nor \`x-request-id\`: 400 (an address that is no percent-encoded UTF-8), 413 (over about 5 MB), 429 (too many at once), 500, 503 (no answer within 30 seconds).

## Deprecation

\`unsubscribe_email\` and \`unsubscribe_sms\` are deprecated and will be removed; send \`email_opted_in\` and \`sms_opted_in\`, of which they are the inverse. The answer to a request that sends one of them carries \`Deprecation: @<Unix time>\` (RFC 9745) and a \`Link\` with \`rel="deprecation"\` to this document, whatever its status.`;

/** What each part of the interface is for, in the order of the document. */
const tags: Record<Tag, string> = {
  Authentication:
    'OAuth 2.0 with the client credentials grant. A client keeps its token until it expires, and gets a new one only when it needs it, for example after a 401. Credentials or tokens that went over plain HTTP count as compromised.',
  Contacts: 'End consumers, each named by a `unique_id` that the caller chooses.',
  Accounts: 'Accounts and the products that they are of, linked to contacts many-to-many.',
  Batches: 'The import of accounts, in the background and in order.',
  Journeys: 'A journey is one contact’s instance of a campaign, with the progress that the contact makes.',
  Templates: 'A campaign is called a template: its settings, pages, messages and content.',
  Objectives: 'What contacts can complete. Uploads name an objective by its key.',
  'Engagement channels': 'Content for places outside the service, found for the contact who looks at it.',
  'Public documents': 'Documents that need no token.',
};

/**
 * The interface as an OpenAPI 3.1 document, made from the route list and the very schemas that validate.
 * @param whole with what our own pages alone call, too
 */
export function openApiDocument(
  baseUrl: string,
  { whole = false } = {},
): JsonSchema & { openapi: string; paths: Record<string, JsonSchema> } {
  const writer = schemaWriter();
  const exchanges = exchangesAt(baseUrl);
  const paths = pathsOf(whole ? contracts : contracts.filter(({ ofOwnPages }) => !ofOwnPages), writer, exchanges);
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
    components: {
      securitySchemes: securitySchemes(baseUrl),
      headers: { ...commonHeaders, ...deprecationHeaders },
      responses,
      schemas: Object.fromEntries(Object.entries(writer.components).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function pathsOf(
  described: readonly Contract[],
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
    description: 'Client id and secret, which an administrator gives out, are exchanged for an access token.',
    flows: { clientCredentials: { tokenUrl: urlAt(baseUrl, '/oauth2/token'), scopes: scopeDescriptions } },
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token that was had before, as `Authorization: Bearer <token>`.',
  },
});
