import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { hashSecret, newSecret } from '../../../lib/auth/secrets.ts';
import { newClient } from '../../../lib/domain/access/client.ts';
import type { HttpHandler } from '../../../lib/http/handler.ts';
import { insertClient } from '../../../lib/store/access/clients.ts';
import { publishKey } from '../../../lib/store/access/signing-keys.ts';
import { freshTable, localCredentials, localRegion } from '../../support/engine/engine.ts';
import { logLines } from '../../support/http/log-lines.ts';
import { issuer, pair, published, seconds, tokenOf } from '../../support/http/verifier.ts';
import { serviceOn, upsertContact } from '../../support/operations/operations.ts';
import { newTeam } from '../../support/operations/teams.ts';
import { record } from '../../support/samples/contacts.ts';

/** What the settings of a function say reaches what it does. Each test has a function instance of its own. */
let table: Awaited<ReturnType<typeof freshTable>>;
let teamId: string;
let token: string;
let written: string;

beforeAll(async () => {
  table = await freshTable();
  await publishKey(table.database, published(pair));
});
beforeEach(async () => {
  vi.resetModules();
  teamId = await newTeam(table.database);
  const caller = crypto.randomUUID();
  await insertClient(table.database, newClient(caller, teamId, hashSecret(newSecret()), 0));
  const iat = seconds(Date.now());
  token = await tokenOf({ sub: caller, client_id: caller, team_id: teamId, iat, exp: iat + 3600 });
  const settings = {
    ...{ TABLE_NAME: table.tableName, ISSUER: issuer, AWS_REGION: localRegion },
    AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodbEndpoint'),
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
    ...{ WEBHOOK_QUEUE_URL: 'http://127.0.0.1:9/webhooks', QUEUE_URL: 'http://127.0.0.1:9/imports' },
    ...{ EVENT_FAILURE_QUEUE_URL: 'http://127.0.0.1:9/failures', METRICS_NAMESPACE: 'test' },
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  written = '';
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      written += chunk;
      return true;
    });
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function call({ handler }: { handler: HttpHandler }, routeKey: string, sent: object = {}) {
  const [method = '', path] = routeKey.split(' ');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const requestContext = { requestId: 'request-1', http: { method, path } };
  const event = { routeKey, headers, requestContext, rawPath: path, isBase64Encoded: false, ...sent };
  const { statusCode, body = '' } = (await handler(event as never)) as APIGatewayProxyStructuredResultV2;
  return { status: statusCode, body: JSON.parse(body) };
}
const createWebhook = async (url: string) =>
  call(await import('../../../functions/webhooks/write.ts'), 'POST /v1/webhooks', { body: JSON.stringify({ url }) });

describe('entries of the audit log are kept as long as the settings say', () => {
  test.each<[string, () => Promise<{ status: number | undefined }>]>([
    ['creates a webhook', () => createWebhook('https://receiver.example.com/')],
    [
      'erases a contact',
      async () => {
        const { contact } = await upsertContact(serviceOn(table.database), teamId, record({ unique_id: 'p' }));
        const erase = await import('../../../functions/contacts/erase.ts');
        return call(erase, 'DELETE /v1/contacts/{id}', { pathParameters: { id: contact.id } });
      },
    ],
  ])('if a client %s', async (_, act) => {
    vi.stubEnv('AUDIT_RETENTION_DAYS', '800');
    expect((await act()).status).toBeLessThan(300);
    const entries = (await table.whole().items()).filter(({ pk }) => pk.startsWith(`AUDIT#${teamId}`));
    const days = entries.map(({ expires_at }) => (Number(expires_at) - Date.now() / 1000) / 86_400);
    expect([...new Set(days.map(Math.round))]).toEqual([800]);
  });
});

test('a deployed service makes no webhook to its own machine', async () => {
  const { status, body } = await createWebhook('http://127.0.0.1/');
  expect([status, body]).toMatchObject([422, { details: [{ path: '/url', message: 'must begin with https://' }] }]);
});

test('a cursor of the feed from before a restore of the table is gone', async () => {
  const list = async (epoch: string, queryStringParameters = {}) => {
    vi.resetModules();
    vi.stubEnv('EVENT_EPOCH', epoch);
    return call(await import('../../../functions/events/read.ts'), 'GET /v1/events', { queryStringParameters });
  };
  const { next_cursor: cursor } = (await list('first')).body;
  expect((await list('first', { cursor })).status).toBe(200);
  expect(await list('second', { cursor })).toMatchObject({ status: 410, body: { error: 'gone' } });
});

describe('counts that the table refuses for good are a metric, whichever function counts', () => {
  test.each([
    ['event-publisher', async () => (await import('../../../lib/runtime/events.ts')).publishService()],
    ['import-worker', async () => (await import('../../../lib/runtime/completions.ts')).completionService()],
  ])('%s', async (_, dependencies) => {
    const { onSetAside } = await dependencies();
    onSetAside?.(new Error('a stored value'), { team_id: teamId, contact_id: 'c', template_id: 't' });
    expect(logLines(written)).toMatchObject([{ level: 'ERROR', team_id: teamId, counts_set_aside: 1 }]);
    expect(written).not.toContain('a stored value');
  });
});
