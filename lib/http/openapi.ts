import { type Route, routes } from '../routes.ts';
import { contracts } from './contracts/all.ts';
import { errorResponses } from './openapi/errors.ts';
import { operationOf } from './openapi/operation.ts';
import { type JsonSchema, schemaWriter } from './openapi/schemas.ts';

/** Version of the interface: the paths carry its major part. */
const version = '1.0.0';

const description = `Contacts, accounts and campaigns of a financial institution.

- JSON in, JSON out. Field names are snake_case. Unknown fields and query parameters are ignored.
- A field that is sent is set, one that is absent keeps its value, an explicit \`null\` clears it.
- Timestamps are ISO 8601 in UTC. Ids are UUIDs.
- A token is bound to one team: what belongs to another team does not exist for it (404).
- All faults of a request are reported together, up to 100, and then nothing of it is stored.
- Reads by id see every acknowledged write; lists and searches may trail by a moment.
- A 429, 500 or 503 may be sent again: upserts repeat harmlessly, and batch chunks are recognised by \`batch_id\` and \`chunk_index\`.
- What the gateway refuses before the service is reached (429, 413, 503) has a body of its own, \`{"message": …}\`, and no \`Retry-After\`.
- Every answer carries \`x-request-id\`. Quote it when you report a fault.`;

/** The interface as an OpenAPI 3.1 document, made from the route list and the very schemas that validate. */
export function openApiDocument(baseUrl: string): JsonSchema {
  const writer = schemaWriter();
  const paths = pathsOf(writer);
  const responses = errorResponses(writer);
  return {
    openapi: '3.1.0',
    info: { title: 'Onboarding Service', version, description },
    servers: [{ url: baseUrl }],
    security: [{ oauth2: [] }, { bearer: [] }],
    tags: [...new Set(contracts.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: securitySchemes(baseUrl),
      headers: {
        RequestId: { description: 'Names this request in our log.', schema: { type: 'string' } },
      },
      responses,
      schemas: Object.fromEntries(Object.entries(writer.components).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function pathsOf(writer: ReturnType<typeof schemaWriter>): Record<string, JsonSchema> {
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes as readonly Route[]) {
    const contract = contracts.find(({ id }) => id === route.id);
    if (!contract) throw new Error(`no contract is called ${route.id}`);
    for (const method of route.methods) {
      paths[route.path] ??= {};
      paths[route.path]![method.toLowerCase()] = operationOf(route, method, contract, writer);
    }
  }
  return paths;
}

const securitySchemes = (baseUrl: string) => ({
  oauth2: {
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: `${baseUrl}/oauth2/token`, scopes: {} } },
  },
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
});
