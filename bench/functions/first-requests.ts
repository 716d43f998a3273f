import { readFileSync } from 'node:fs';
import type { LocalDescription } from '../../bin/local/description.ts';
import type { OnboardingClient } from '../../client/index.ts';

/** A local service, with a client and the value of its header `Authorization`. */
export type Service = { local: LocalDescription; client: OnboardingClient; authorization: string };

/** A first request for a few functions, as the event of API Gateway, by the id of the function. */
export async function firstRequests({ local, client, authorization }: Service): Promise<Map<string, object>> {
  const sample = readFileSync(new URL('../../examples/campaigns.json', import.meta.url), 'utf8');
  const { templates } = JSON.parse(sample) as { templates: { id: string }[] };
  const contact = { unique_id: 'cold-start', name_first: 'Jana' };
  const { id } = await client.contacts.upsert(contact);
  const { web_client_url: url } = await client.journeys.start(templates[0]!.id, { contact });
  const slug = new URL(url!).pathname.split('/').at(-1)!;
  const headers = { host: new URL(local.base_url).host, authorization, 'content-type': 'application/json' };
  const event = (method: string, path: string, rest: object = {}) => ({
    ...{ version: '2.0', routeKey: '$default', rawPath: path, rawQueryString: '', headers, isBase64Encoded: false },
    requestContext: { requestId: 'cold-start', http: { method, path, sourceIp: '127.0.0.1' }, stage: '$default' },
    ...rest,
  });
  return new Map([
    ['get-jwks', event('GET', '/.well-known/jwks.json')],
    ['get-contact', event('GET', `/v1/contacts/${id}`, { pathParameters: { id } })],
    ['upsert-contacts', event('POST', '/v1/contacts', { body: JSON.stringify(contact) })],
    ['show-journey', event('GET', `/j/${slug}`, { pathParameters: { slug } })],
  ]);
}

/** The environment of a function that uses the table of the local service, so that no connection uses TLS. */
export const environmentOf = ({ local }: Service): Record<string, string> => ({
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL_DYNAMODB: local.dynamodb_endpoint,
  TABLE_NAME: local.table_name,
  ISSUER: local.base_url,
  LOG_LEVEL: 'ERROR',
});
