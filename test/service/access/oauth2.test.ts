import { describe, expect, test } from 'vitest';
import { allScopes } from '../../../lib/domain/access/scope.ts';
import { service } from '../../support/service/service.ts';
import { credentials, expectRefusal, expectToken, form, grant, post, postForm } from './token-requests.ts';

/** What the checks of test/judges/acceptance and test/unit/http/token-request.test.ts leave open. */
const api = await service();
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
