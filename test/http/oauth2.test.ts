import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { rotateClient } from '../../bin/admin/operations/clients.ts';
import { newSecret } from '../../lib/auth/secrets.ts';
import { allScopes } from '../../lib/domain/scope.ts';
import { service, type TestResponse } from '../support/service.ts';
import {
  basicOf,
  credentials,
  expectRefusal,
  expectToken,
  form,
  grant,
  post,
  postForm,
} from '../support/token-requests.ts';

const api = await service();
/** A team whose client is never revoked by a test. */
const team = await api.newTeam();

describe('a token is given', () => {
  test('for Basic credentials that are form-encoded, as the standard wants', async () => {
    const encoded = team.clientId.replaceAll('-', '%2D');
    expectToken(await postForm(grant, { authorization: basicOf(encoded, team.clientSecret) }));
  });

  test('where the body names the client once more, or parameters that nobody knows', async () => {
    const authorization = basicOf(team.clientId, team.clientSecret);
    expectToken(await postForm({ ...grant, client_id: team.clientId, client_secret: '' }, { authorization }));
    expectToken(await postForm({ ...grant, ...credentials(team), scope: '', audience: 'me' }, {}, '?utm=x'));
  });

  test('where the request still carries a bearer token', async () => {
    expectToken(await postForm({ ...grant, ...credentials(team) }, { authorization: 'Bearer old' }));
  });

  test('for a body whose type is declared with a charset, or not at all', async () => {
    const body = new URLSearchParams({ ...grant, ...credentials(team) }).toString();
    expectToken(await post({ body, headers: { 'content-type': `${form}; charset=UTF-8` } }));
    const untyped = new Blob([body]);
    const response = await fetch(new URL('/oauth2/token', api.baseUrl), { method: 'POST', body: untyped });
    expect(response.status).toBe(200);
  });

  test('to each of two live secrets during a rotation, and not to the one before them', async () => {
    const rotating = await api.newTeam();
    const dependencies = { database: api.database, now: Date.now, newSecret, pause: async () => {} };
    const [second, third] = [
      await rotateClient(dependencies, rotating.clientId),
      await rotateClient(dependencies, rotating.clientId),
    ];
    expectToken(await postForm({ ...grant, ...credentials(rotating), client_secret: second!.client_secret }));
    expectToken(await postForm({ ...grant, ...credentials(rotating), client_secret: third!.client_secret }));
    expectRefusal(await postForm({ ...grant, ...credentials(rotating) }), 401, 'invalid_client');
  });
});

test('a token says what RFC 9068 asks for, and the team, under a published key', async () => {
  const { body } = await postForm({ ...grant, ...credentials(team) });
  const jwks = await api.request('GET', '/.well-known/jwks.json');
  const { payload, protectedHeader } = await jwtVerify(body.access_token, createLocalJWKSet(jwks.body), {
    typ: 'at+jwt',
    algorithms: ['ES256'],
    issuer: api.baseUrl,
    audience: api.baseUrl,
  });
  expect(protectedHeader.kid).toBe(jwks.body.keys[0].kid);
  expect(payload).toMatchObject({ sub: team.clientId, client_id: team.clientId, team_id: team.teamId });
  expect(payload.exp! - payload.iat!).toBe(body.expires_in);
  expect(Math.abs(payload.iat! - Date.now() / 1000)).toBeLessThan(5);
  const another = await postForm({ ...grant, ...credentials(team) });
  expect(decodeJwt(another.body.access_token).jti).not.toBe(payload.jti);
});

describe('no token is given', () => {
  test.each<[what: string, changes: Record<string, string>]>([
    ['a wrong secret', { client_secret: 'wrong' }],
    ['an unknown client', { client_id: '00000000-0000-4000-8000-000000000000' }],
    ['what cannot be a client id', { client_id: 'x'.repeat(3000) }],
    ['no secret', { client_secret: '' }],
    ['no client id', { client_id: '' }],
    ['no credentials at all', { client_id: '', client_secret: '' }],
  ])('for %s: 401 invalid_client', async (_, changes) => {
    expectRefusal(await postForm({ ...grant, ...credentials(team), ...changes }), 401, 'invalid_client');
    expectRefusal(await post({ body: { ...grant, ...credentials(team), ...changes } }), 401, 'invalid_client');
  });

  test('for wrong Basic credentials: 401 invalid_client', async () => {
    const authorization = basicOf(team.clientId, 'wrong');
    expectRefusal(await postForm(grant, { authorization }), 401, 'invalid_client');
  });

  test.each(['password', 'authorization_code', 'refresh_token', 'CLIENT_CREDENTIALS', 'x'])(
    'by the grant %s: 400 unsupported_grant_type',
    async (grant_type) => {
      expectRefusal(await postForm({ grant_type, ...credentials(team) }), 400, 'unsupported_grant_type');
    },
  );

  const whole = () => new URLSearchParams({ ...grant, ...credentials(team) }).toString();
  const refused: [what: string, send: () => Promise<TestResponse>][] = [
    ['no body', () => post({})],
    ['a form that is not UTF-8', () => post({ body: new Uint8Array([0xff]), headers: { 'content-type': form } })],
    ['JSON that is broken', () => post({ body: '{' })],
    ['JSON that is a list', () => post({ body: '[]' })],
    ['JSON nested deeply', () => post({ body: '['.repeat(10_000) })],
  ];
  test.each(refused)('to %s: 400 invalid_request', async (_, send) => {
    expectRefusal(await send(), 400, 'invalid_request');
  });

  const large = { ...grant, x: 'x'.repeat(16 * 1024) };
  test.each<[what: string, status: number, error: string, send: () => Promise<TestResponse>]>([
    [
      'another media type',
      415,
      'unsupported_media_type',
      () => post({ body: whole(), headers: { 'content-type': 'text/plain' } }),
    ],
    [
      'another charset',
      415,
      'unsupported_media_type',
      () => post({ body: whole(), headers: { 'content-type': `${form}; charset=latin1` } }),
    ],
    ['a content encoding', 415, 'unsupported_media_type', () => postForm(whole(), { 'content-encoding': 'gzip' })],
    ['a form of more than 16 KB', 413, 'payload_too_large', () => postForm(large)],
    ['JSON of more than 16 KB', 413, 'payload_too_large', () => post({ body: large })],
    [
      'what is too large to be read, whatever it is',
      413,
      'payload_too_large',
      () => post({ body: '['.repeat(17_000) }),
    ],
  ])('to %s: %i %s', async (_, status, error, send) => {
    const answer = await send();
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('for a form of just 16 KB there is one', async () => {
    const padding = 16 * 1024 - new URLSearchParams({ ...grant, ...credentials(team), x: '' }).toString().length;
    expectToken(await postForm({ ...grant, ...credentials(team), x: 'x'.repeat(padding) }));
  });

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('by %s: 405', async (method) => {
    const { status, headers } = await api.request(method, '/oauth2/token?utm=x');
    expect([status, headers.get('allow'), headers.get('cache-control')]).toEqual([405, 'POST', 'no-store']);
  });
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
