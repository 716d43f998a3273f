import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalDescription } from '../bin/local/description.ts';
import type { OnboardingClient } from '../client/index.ts';
import { bundle } from '../infra/bundle.ts';
import { type Phase, runOnce } from './functions/process.ts';
import { median, rounded } from './measure.ts';

const rounds = 9;

export type ColdStart = { id: string; load: Phase; first_request: Phase };
type Invocation = { id: string; event: object };

/**
 * Loads functions in a new process and sends each its first request, with the table of the local service, so that no
 * connection uses TLS. What Lambda itself does before it loads a function is not measured.
 */
export async function benchColdStarts(
  local: LocalDescription,
  authorization: string,
  client: OnboardingClient,
): Promise<ColdStart[]> {
  const directory = await mkdtemp(join(tmpdir(), 'onboarding-cold-starts-'));
  const invocations = await invocationsOf(local, authorization, client);
  const measured = new Map<string, Omit<ColdStart, 'id'>[]>(invocations.map(({ id }) => [id, []]));
  try {
    await bundle(directory);
    for (let round = 0; round < rounds; round++) {
      for (const { id, event } of invocations) {
        const { load, first } = await runOnce(join(directory, id, 'index.mjs'), event, environmentOf(local));
        if (first.status !== 200) throw new Error(`${id} responded with status ${first.status}`);
        measured.get(id)!.push({ load, first_request: first });
      }
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return [...measured].map(([id, runs]) => {
    const middle = (phase: keyof Omit<ColdStart, 'id'>): Phase => ({
      cpu: rounded(median(runs.map((run) => run[phase].cpu))),
      wall: rounded(median(runs.map((run) => run[phase].wall))),
    });
    return { id, load: middle('load'), first_request: middle('first_request') };
  });
}

async function invocationsOf(
  { base_url: baseUrl }: LocalDescription,
  authorization: string,
  client: OnboardingClient,
): Promise<Invocation[]> {
  const sample = readFileSync(new URL('../examples/campaigns.json', import.meta.url), 'utf8');
  const { templates } = JSON.parse(sample) as { templates: { id: string }[] };
  const contact = { unique_id: 'cold-start', name_first: 'Jana' };
  const { id } = await client.contacts.upsert(contact);
  const { web_client_url: url } = await client.journeys.start(templates[0]!.id, { contact });
  const slug = new URL(url!).pathname.split('/').at(-1)!;
  const headers = { host: new URL(baseUrl).host, authorization, 'content-type': 'application/json' };
  const event = (method: string, path: string, rest: object = {}) => ({
    ...{ version: '2.0', routeKey: '$default', rawPath: path, rawQueryString: '', headers, isBase64Encoded: false },
    requestContext: { requestId: 'cold-start', http: { method, path, sourceIp: '127.0.0.1' }, stage: '$default' },
    ...rest,
  });
  return [
    { id: 'get-jwks', event: event('GET', '/.well-known/jwks.json') },
    { id: 'get-contact', event: event('GET', `/v1/contacts/${id}`, { pathParameters: { id } }) },
    { id: 'upsert-contacts', event: event('POST', '/v1/contacts', { body: JSON.stringify(contact) }) },
    { id: 'show-journey', event: event('GET', `/j/${slug}`, { pathParameters: { slug } }) },
  ];
}

/** The environment of a function that uses the table of the local service. */
const environmentOf = (local: LocalDescription): Record<string, string> => ({
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL_DYNAMODB: local.dynamodb_endpoint,
  TABLE_NAME: local.table_name,
  ISSUER: local.base_url,
  LOG_LEVEL: 'ERROR',
});

const cell = ({ cpu, wall }: Phase): string => `${cpu} | ${wall}`;

export const coldStartsText = (results: readonly ColdStart[]): string =>
  [
    '| function | load: CPU, ms | ms | first request: CPU, ms | ms |',
    '|---|---:|---:|---:|---:|',
    ...results.map((each) => `| \`${each.id}\` | ${cell(each.load)} | ${cell(each.first_request)} |`),
  ].join('\n');
