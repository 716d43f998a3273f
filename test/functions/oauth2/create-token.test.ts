import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { hashSecret, newSecret } from '../../../lib/auth/secrets.ts';
import { newClient } from '../../../lib/domain/client.ts';
import { insertClient } from '../../../lib/store/clients.ts';
import { freshTable, localCredentials, localRegion } from '../../support/engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'token-'));
const keyFile = join(folder, 'signing-keys.json');
const secret = newSecret();
const clientId = '8a6e0804-2bd0-4672-b79d-d97027f9071a';

beforeAll(async () => {
  const { database, tableName } = await freshTable();
  await insertClient(database, newClient(clientId, 'c56a4180-65aa-42ec-a945-5fd21dec0538', hashSecret(secret), 0));
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    ISSUER: 'https://api.example.com',
    SIGNING_KEYS: pathToFileURL(keyFile).href,
    LOG_LEVEL: 'SILENT',
    AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodbEndpoint'),
    AWS_REGION: localRegion,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

async function request(): Promise<APIGatewayProxyStructuredResultV2> {
  const { handler } = await import('../../../functions/oauth2/create-token.ts');
  return handler({
    rawQueryString: '',
    headers: { 'content-type': 'application/json' },
    requestContext: { requestId: 'request-1', http: { method: 'POST' } },
    body: JSON.stringify({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret }),
    isBase64Encoded: false,
  } as unknown as APIGatewayProxyEventV2);
}

test('a token that cannot be signed yet is 503, not to be kept, and safe to ask for again', async () => {
  expect(await request()).toMatchObject({
    statusCode: 503,
    headers: { 'cache-control': 'no-store', 'retry-after': '2', 'x-request-id': 'request-1' },
    body: expect.stringContaining('"error":"unavailable"'),
  });
});

test('a fault of ours is 500, not to be kept, and says nothing of its cause', async () => {
  writeFileSync(keyFile, '[{"rotation_id":"x","key":"private"}]');
  const { statusCode, headers, body = '' } = await request();
  expect([statusCode, headers?.['cache-control']]).toEqual([500, 'no-store']);
  expect(Object.keys(JSON.parse(body)).sort()).toEqual(['error', 'message', 'request_id']);
  expect(body).not.toContain('private');
});
