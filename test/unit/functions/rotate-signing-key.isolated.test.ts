import type { SecretsManagerRotationEvent } from 'aws-lambda';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createSigner } from '../../../lib/auth/tokens.ts';
import { createVerifier } from '../../../lib/auth/verifier.ts';
import { newClient } from '../../../lib/domain/access/client.ts';
import { privateKeysAt } from '../../../lib/store/access/private-keys.ts';
import { loadPublicKeys } from '../../../lib/store/access/signing-keys.ts';
import { FakeSecret, serveSecret } from '../../support/aws/secrets-manager.ts';
import { freshTable, localCredentials, localRegion } from '../../support/engine/engine.ts';

const issuer = 'https://api.example.com';
const arn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:SigningKeys-abc';
const clientId = '8a6e0804-2bd0-4672-b79d-d97027f9071a';
const teamId = 'c56a4180-65aa-42ec-a945-5fd21dec0538';
const secret = new FakeSecret();
let server: Awaited<ReturnType<typeof serveSecret>>;
let database: Awaited<ReturnType<typeof freshTable>>['database'];

beforeAll(async () => {
  server = await serveSecret(secret);
  const table = await freshTable();
  database = table.database;
  // As Lambda does: the function reads its settings when it is first called.
  Object.assign(process.env, {
    TABLE_NAME: table.tableName,
    ISSUER: issuer,
    SIGNING_KEYS: arn,
    LOG_LEVEL: 'SILENT',
    AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodbEndpoint'),
    AWS_REGION: localRegion,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  });
});
afterAll(() => server.stop());

async function step(Step: SecretsManagerRotationEvent['Step'], ClientRequestToken: string): Promise<void> {
  const { handler } = await import('../../../functions/oauth2/rotate-signing-key.ts');
  await handler({ SecretId: arn, ClientRequestToken, Step });
}

/** A token that the token function signs at this time, and whether it is accepted. */
async function requestAt(now: number): Promise<unknown> {
  const readKeys = () => privateKeysAt(arn, server.client).read();
  const iat = Math.floor(now / 1000);
  const subject = { sub: clientId, client_id: clientId, team_id: teamId };
  const token = await createSigner({ readKeys, now: () => now })({
    iss: issuer,
    aud: issuer,
    ...subject,
    iat,
    exp: iat + 60,
    jti: 'one',
  });
  const loadClient = async () => newClient(clientId, teamId, 'hash', now);
  const loadKeys = () => loadPublicKeys(database);
  return createVerifier({ issuer, loadKeys, loadClient, now: () => now })(`Bearer ${token}`);
}

test('the rotation function makes the first key of an empty secret, and later the next, each step twice over', async () => {
  for (const [rotation, at] of [
    ['rotation-1', Date.now() + 1000],
    ['rotation-2', Date.now() + 1_200_000],
  ] as const) {
    secret.begin(rotation);
    for (const name of ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const) {
      await step(name, rotation);
      await step(name, rotation);
      if (rotation === 'rotation-2') expect(await requestAt(Date.now())).toMatchObject({ clientId, teamId });
    }
    expect(await requestAt(at)).toMatchObject({ clientId, teamId });
  }
  expect([...secret.versions].map(([id, { stages }]) => [id, [...stages]])).toEqual([
    ['rotation-1', ['AWSPREVIOUS']],
    ['rotation-2', ['AWSPENDING', 'AWSCURRENT']],
  ]);
  const published = await loadPublicKeys(database);
  const kept = await privateKeysAt(arn, server.client).read();
  const lasting = published.filter((key) => key.needed_until === undefined);
  expect(lasting.map(({ kid }) => kid)).toEqual([kept[0]!.kid]);
  expect(published.map(({ kid }) => kid)).toEqual(expect.arrayContaining(kept.map(({ kid }) => kid)));
});
