import { createRemoteJWKSet, decodeJwt, exportJWK, generateKeyPair, jwtVerify } from 'jose';
import * as oauth from 'openid-client';
import { describe, expect, test } from 'vitest';
import { clientKeysOf } from '../../../bin/admin/access/client-keys.ts';
import { createKeyClient } from '../../../bin/admin/operations/access/clients.ts';
import { newSecret } from '../../../lib/auth/secrets.ts';
import { allScopes } from '../../../lib/domain/access/scope.ts';
import { loadClient } from '../../../lib/store/access/clients.ts';
import { entriesOf } from '../../support/operations/audit.ts';
import { serviceOn } from '../../support/operations/operations.ts';
import { adminJson } from '../../support/service/admin.ts';
import { service, type TestRequest, type TestResponse, type TestTeam } from '../../support/service/service.ts';

const api = await service();

const form = 'application/x-www-form-urlencoded';
const grant = { grant_type: 'client_credentials' };
const credentials = ({ clientId, clientSecret }: TestTeam) => ({
  client_id: clientId,
  client_secret: clientSecret,
});
const basicOf = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

const post = (request: TestRequest, query = '') => api.request('POST', `/oauth2/token${query}`, request);
const postForm = (fields: Record<string, string> | string, headers: Record<string, string> = {}, query = '') =>
  post({ body: new URLSearchParams(fields).toString(), headers: { 'content-type': form, ...headers } }, query);

function expectToken({ status, headers, body }: TestResponse): void {
  expect(status).toBe(200);
  const scope = allScopes.join(' ');
  expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600, scope });
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-request-id')).toBeTruthy();
}

function expectRefusal({ status, headers, body }: TestResponse, expected: number, error: string): void {
  expect(body).toEqual({ error, error_description: expect.any(String) });
  expect(status).toBe(expected);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('x-request-id')).toBeTruthy();
  expect(headers.get('www-authenticate')).toBe(expected === 401 ? 'Basic realm="onboarding"' : null);
}

/** What the checks of test/judges/acceptance and test/unit/http/token-request.test.ts leave open. */
const team = await api.newTeam();

test('a token is given for a body whose type is declared with a charset, or not at all', async () => {
  const body = new URLSearchParams({ ...grant, ...credentials(team), scope: '', audience: 'me' }).toString();
  expectToken(await post({ body, headers: { 'content-type': `${form}; charset=UTF-8` } }, '?utm=x'));
  const untyped = new Blob([body]);
  const response = await fetch(new URL('/oauth2/token', api.baseUrl), { method: 'POST', body: untyped });
  expect(response.status).toBe(200);
});

test.each<[what: string, changes: Record<string, string>]>([
  ['what cannot be a client id', { client_id: 'x'.repeat(3000) }],
  ['no secret', { client_secret: '' }],
  ['no client id', { client_id: '' }],
  ['no credentials at all', { client_id: '', client_secret: '' }],
])('no token is given for %s: 401 invalid_client', async (_, changes) => {
  expectRefusal(await postForm({ ...grant, ...credentials(team), ...changes }), 401, 'invalid_client');
  expectRefusal(await post({ body: { ...grant, ...credentials(team), ...changes } }), 401, 'invalid_client');
});

test.each([
  ['no body', undefined, {}, 400, 'invalid_request'],
  ['a form that is not UTF-8', new Uint8Array([0xff]), { 'content-type': form }, 400, 'invalid_request'],
  ['JSON nested deeply', '['.repeat(10_000), {}, 400, 'invalid_request'],
  ['another charset', 'x', { 'content-type': `${form}; charset=latin1` }, 415, 'unsupported_media_type'],
  ['a content encoding', 'x', { 'content-type': form, 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
  ['what is too large to be read, whatever it is', '['.repeat(17_000), {}, 413, 'payload_too_large'],
])('no token is given to %s', async (_, body, headers, status, error) => {
  const answer = await post({ body, headers: headers as Record<string, string> });
  expect([answer.status, answer.body.error]).toEqual([status, error]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

describe('the public documents', () => {
  test('say where tokens come from (RFC 8414)', async () => {
    const { status, headers, body } = await api.request('GET', '/.well-known/oauth-authorization-server');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    expect(body).toEqual({
      issuer: api.baseUrl,
      token_endpoint: `${api.baseUrl}/oauth2/token`,
      jwks_uri: `${api.baseUrl}/.well-known/jwks.json`,
      grant_types_supported: ['client_credentials'],
      scopes_supported: allScopes,
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['ES256', 'ES384', 'RS256', 'PS256'],
    });
  });

  test('show the public halves of the keys, for a shorter time than a key waits for its use', async () => {
    const { status, headers, body } = await api.request('GET', '/.well-known/jwks.json');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(body.keys).toHaveLength(1);
    expect(Object.keys(body.keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });
});

describe('credentials in the address', () => {
  const queryOf = (fields: Record<string, string>) => `?${new URLSearchParams(fields)}`;
  const stateOf = async ({ clientId }: TestTeam) => (await loadClient(api.database, clientId))?.revoked_by;

  test.each<[what: string, send: (exposed: TestTeam) => Promise<TestResponse>]>([
    ['with everything in it', (exposed) => post({}, queryOf({ ...grant, ...credentials(exposed) }))],
    [
      'beside a good body',
      (exposed) => postForm({ ...grant, ...credentials(exposed) }, {}, queryOf(credentials(exposed))),
    ],
    ['beside a body that is broken', (exposed) => post({ body: '{' }, queryOf(credentials(exposed)))],
    [
      'as the secret alone, its client in a form',
      (exposed) => postForm({ client_id: exposed.clientId }, {}, queryOf({ client_secret: exposed.clientSecret })),
    ],
    [
      'as the secret alone, its client by Basic',
      (exposed) =>
        postForm(
          grant,
          { authorization: basicOf(exposed.clientId, 'x') },
          queryOf({ client_secret: exposed.clientSecret }),
        ),
    ],
    [
      'after a wrong secret',
      (exposed) => post({}, `?client_secret=x&client_id=${exposed.clientId}&client_secret=${exposed.clientSecret}`),
    ],
    [
      'with its names encoded',
      (exposed) => post({}, `?client%5Fid=${exposed.clientId}&client%5Fsecret=${exposed.clientSecret}`),
    ],
  ])('%s revoke the client for good', async (_, send) => {
    const exposed = await api.newTeam();
    expectRefusal(await send(exposed), 400, 'invalid_request');
    expect(await stateOf(exposed)).toBe('query_string');
    expectRefusal(await postForm({ ...grant, ...credentials(exposed) }), 401, 'invalid_client');
    expect((await api.request('GET', '/v1/contacts', { token: exposed.token })).status).toBe(401);
  });

  test.each(['GET', 'HEAD', 'DELETE'])(
    'of a %s request revoke the client, too, and a wrong secret does not',
    async (method) => {
      const exposed = await api.newTeam();
      const wrong = { ...credentials(exposed), client_secret: newSecret() };
      const refused = await api.request(method, `/oauth2/token${queryOf(wrong)}`);
      expect(await stateOf(exposed)).toBeNull();
      const answer = await api.request(method, `/oauth2/token${queryOf(credentials(exposed))}`);
      expect(await stateOf(exposed)).toBe('query_string');
      expect([answer.status, answer.body]).toEqual([refused.status, refused.body]);
      expect([...answer.headers.keys()]).toEqual([...refused.headers.keys()]);
      if (method === 'HEAD') expect([answer.status, answer.body]).toEqual([400, undefined]);
      else expectRefusal(answer, 400, 'invalid_request');
    },
  );

  test('beside a body that is too large revoke the client, too', async () => {
    const exposed = await api.newTeam();
    const body = { x: 'x'.repeat(16 * 1024) };
    expectRefusal(await post({ body }, queryOf(credentials(exposed))), 400, 'invalid_request');
    expect(await stateOf(exposed)).toBe('query_string');
  });

  test.each([
    [3, 'query_string'],
    [4, null],
  ])('are compared with four secrets at most: after %i wrong ones the client is %s', async (wrong, revoked) => {
    const exposed = await api.newTeam();
    const secrets = [...Array.from({ length: wrong }, newSecret), exposed.clientSecret];
    const query = new URLSearchParams(secrets.map((secret): [string, string] => ['client_secret', secret]));
    expectRefusal(await post({}, `?client_id=${exposed.clientId}&${query}`), 400, 'invalid_request');
    expect(await stateOf(exposed)).toBe(revoked);
  });

  test('are refused where only the id is there, and nobody is revoked for that', async () => {
    expectRefusal(
      await postForm({ ...grant, ...credentials(team) }, {}, queryOf({ client_id: team.clientId })),
      400,
      'invalid_request',
    );
    expect(await stateOf(team)).toBeNull();
  });
});

const logOf = (team: TestTeam) => entriesOf(api.database, team.teamId);

describe('the audit log of the running service', () => {
  test('names every token that was issued, and every refusal, for as long as the setting says', async () => {
    const team = await api.newTeam();
    await postForm(grant, { authorization: basicOf(team.clientId, 'wrong-secret') });
    await postForm({ ...grant, ...credentials(team), scope: 'everything' });
    const entries = await logOf(team);
    expect(entries.map(({ what, outcome }) => [what, outcome])).toEqual([
      ['token issued', 'done'],
      ['token refused', 'invalid_client'],
      ['token refused', 'invalid_scope'],
    ]);
    expect(entries[0]!.ids).toEqual({ client_id: team.clientId, jti: decodeJwt(team.token).jti });
    for (const { who, team_id } of entries) expect([who, team_id]).toEqual([team.clientId, team.teamId]);
    for (const value of [team.clientSecret, team.token, 'wrong-secret']) {
      expect(JSON.stringify(entries)).not.toContain(value);
    }
    const month = new Date().toISOString().slice(0, 7);
    const { items } = await api.database.query({ pk: `AUDIT#${team.teamId}#${month}` });
    const days = (Number(items[0]!.expires_at) - Date.now() / 1000) / 86_400;
    expect(Math.round(days)).toBe(3650);
  });
});

describe('a credential with a name and an expiry', async () => {
  const team = await api.newTeam();
  const create = async (...options: string[]) =>
    (await adminJson('client', 'create', '--team', team.teamId, '--name', 'Nightly file', ...options)).value;

  test('is listed with both, and with the day of its last token', async () => {
    const { client_id, client_secret } = await create('--expires', '2999-01-01');
    const listed = async () =>
      (await adminJson('client', 'list', '--team', team.teamId)).value.find(
        (each: { client_id: string }) => each.client_id === client_id,
      );
    const fields = { name: 'Nightly file', expiry: '2999-01-01T00:00:00.000000Z' };
    expect(await listed()).toMatchObject({ ...fields, last_used_on: null });
    await api.tokenFor(client_id, client_secret);
    expect(await listed()).toMatchObject({ ...fields, last_used_on: new Date().toISOString().slice(0, 10) });
  });

  test.each([
    ['a time that is over', ['--expires', '2026-01-01']],
    ['no date', ['--expires', 'soon']],
    ['a date that no calendar has', ['--expires', '2999-02-30']],
    ['a blank name', ['--name', ' ']],
  ])('is not made with %s', async (_, options) => {
    expect((await create(...options)).error).toBe('invalid_arguments');
  });
});

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
