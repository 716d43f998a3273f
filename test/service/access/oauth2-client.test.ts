import { createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify } from 'jose';
import * as oauth from 'openid-client';
import { describe, expect, test } from 'vitest';
import { clientKeysOf } from '../../../bin/admin/access/client-keys.ts';
import { createKeyClient } from '../../../bin/admin/operations/access/clients.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { service } from '../../support/service/service.ts';

/** Tests the token endpoint with openid-client, a certified client that is independent of this service. */
const api = await service();
const team = await api.newTeam();

/** Configured only with the URL of the service; the metadata document provides the rest (RFC 8414). */
const discovered = (clientId: string, authentication: oauth.ClientAuth) =>
  oauth.discovery(new URL(api.baseUrl), clientId, undefined, authentication, {
    algorithm: 'oauth2',
    execute: [oauth.allowInsecureRequests],
  });

const methods = [
  ['client_secret_basic', oauth.ClientSecretBasic],
  ['client_secret_post', oauth.ClientSecretPost],
] as const;

describe.each(methods)('a certified client that authenticates by %s', (method, authentication) => {
  test('finds the token endpoint by the metadata and gets a token that opens the service', async () => {
    const configuration = await discovered(team.clientId, authentication(team.clientSecret));
    const server = configuration.serverMetadata();
    expect(server).toMatchObject({ issuer: api.baseUrl, token_endpoint: `${api.baseUrl}/oauth2/token` });
    expect(server.token_endpoint_auth_methods_supported).toContain(method);
    const token = await oauth.clientCredentialsGrant(configuration);
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    const url = new URL('/v1/objectives', api.baseUrl);
    const answer = await oauth.fetchProtectedResource(configuration, token.access_token, url, 'GET');
    expect(answer.status).toBe(200);
  });

  test.each([
    ['a wrong secret', () => team.clientId, 'wrong'],
    ['an unknown id', () => crypto.randomUUID(), 'wrong'],
    ['an id and a secret that need form encoding', () => 'a:b c+d%é&=', 'p:%+ é&=/?'],
  ])('understands that %s is refused as invalid_client', async (_case, clientId, secret) => {
    const configuration = await discovered(clientId(), authentication(secret));
    const refusal = await oauth.clientCredentialsGrant(configuration).catch((error: unknown) => error);
    expect(await codeOf(refusal)).toBe('invalid_client');
  });
});

describe('a certified client that authenticates by private_key_jwt', () => {
  const algorithms = ['ES256', 'ES384', 'RS256', 'PS256'] as const;

  /** A client whose key is registered, as openid-client knows it. */
  async function registered(alg: (typeof algorithms)[number], kid?: string) {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const id = kid === undefined ? {} : { kid };
    const keys = clientKeysOf({ keys: [{ ...(await exportJWK(publicKey)), ...id }] });
    const dependencies = serviceOn(api.database);
    const { client_id } = await createKeyClient(dependencies, team.teamId, keys);
    return { clientId: client_id, key: { key: privateKey, ...id } };
  }

  test.each(algorithms)('finds %s in the metadata and gets a token by it that opens the service', async (alg) => {
    const { clientId, key } = await registered(alg, 'key-1');
    const configuration = await discovered(clientId, oauth.PrivateKeyJwt(key));
    const server = configuration.serverMetadata();
    expect(server.token_endpoint_auth_methods_supported).toContain('private_key_jwt');
    expect(server.token_endpoint_auth_signing_alg_values_supported).toContain(alg);
    expect(server.scopes_supported).toContain('campaigns:read');
    const token = await oauth.clientCredentialsGrant(configuration, { scope: 'campaigns:read' });
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'campaigns:read' });
    const url = new URL('/v1/objectives', api.baseUrl);
    const answer = await oauth.fetchProtectedResource(configuration, token.access_token, url, 'GET');
    expect(answer.status).toBe(200);
    // Each request has an assertion of its own.
    expect((await oauth.clientCredentialsGrant(configuration)).access_token).not.toBe(token.access_token);
  });

  test('understands that a key of another client is refused as invalid_client', async () => {
    const [own, other] = [await registered('ES256'), await registered('ES256')];
    const configuration = await discovered(own.clientId, oauth.PrivateKeyJwt(other.key));
    const refusal = await oauth.clientCredentialsGrant(configuration).catch((error: unknown) => error);
    expect(await codeOf(refusal)).toBe('invalid_client');
  });

  test('understands a lack of scope by the challenge', async () => {
    const { clientId, key } = await registered('ES256');
    const configuration = await discovered(clientId, oauth.PrivateKeyJwt(key));
    const token = await oauth.clientCredentialsGrant(configuration, { scope: 'contacts:read' });
    const url = new URL('/v1/objectives', api.baseUrl);
    const refusal = await oauth
      .fetchProtectedResource(configuration, token.access_token, url, 'GET')
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
    const { status, cause } = refusal as oauth.WWWAuthenticateChallengeError;
    const parameters = { error: 'insufficient_scope', scope: 'campaigns:read' };
    expect([status, cause]).toEqual([403, [{ scheme: 'bearer', parameters }]]);
  });
});

/** This client has a special error for a 401 with a challenge, with the response as its cause. */
async function codeOf(error: unknown): Promise<string | undefined> {
  if (error instanceof oauth.ResponseBodyError) return error.error;
  if (!(error instanceof oauth.WWWAuthenticateChallengeError)) return undefined;
  expect(error.cause).toEqual([{ scheme: 'basic', parameters: { realm: 'onboarding' } }]);
  return ((await error.response.json()) as { error: string }).error;
}

test('Basic credentials count decoded, so that an encoded right secret is right and an unencoded plus is a blank', async () => {
  const percentEncoded = (text: string) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const ask = (id: string, secret: string) =>
    api.request('POST', '/oauth2/token', {
      body: { grant_type: 'client_credentials' },
      headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    });
  expect((await ask(percentEncoded(team.clientId), percentEncoded(team.clientSecret))).status).toBe(200);
  expect((await ask(team.clientId, `${team.clientSecret}+`)).status).toBe(401);
  expect((await ask(team.clientId, `${team.clientSecret}%`)).status).toBe(400);
});

test('the access token is verified by the published keys, with all that RFC 9068 asks for', async () => {
  const configuration = await discovered(team.clientId, oauth.ClientSecretBasic(team.clientSecret));
  const { jwks_uri, issuer } = configuration.serverMetadata();
  const { access_token } = await oauth.clientCredentialsGrant(configuration);
  const keys = createRemoteJWKSet(new URL(jwks_uri!), { timeoutDuration: 60_000 });
  const { payload, protectedHeader } = await jwtVerify(access_token, keys, {
    issuer,
    audience: issuer,
    typ: 'at+jwt',
    algorithms: ['ES256'],
    requiredClaims: ['exp', 'sub', 'client_id', 'iat', 'jti'],
  });
  expect(protectedHeader.kid).toBeTruthy();
  expect(payload).toMatchObject({ sub: team.clientId, client_id: team.clientId });
});
