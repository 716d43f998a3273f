import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { newKeyPair, signToken } from '../../lib/auth/tokens.ts';
import type { PrivateKey } from '../../lib/domain/signing-key.ts';
import { revokeClient } from '../../lib/operations/clients.ts';
import { routes } from '../../lib/routes.ts';
import { service, type TestResponse, type TestService, type TestTeam } from '../support/service.ts';

let api: TestService;
let team: TestTeam;
/** The service's private key, so that a test can sign any token. */
let key: PrivateKey;
beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
  const file = readFileSync(join(inject('serviceDirectory'), 'signing-keys.memory.json'), 'utf8');
  key = JSON.parse(file)[0].key;
});

const nowInSeconds = () => Math.floor(Date.now() / 1000);
const claims = (changes: Record<string, unknown> = {}) => ({
  iss: api.baseUrl,
  aud: api.baseUrl,
  sub: team.clientId,
  client_id: team.clientId,
  team_id: team.teamId,
  iat: nowInSeconds(),
  exp: nowInSeconds() + 60,
  jti: crypto.randomUUID(),
  ...changes,
});

const listWith = (authorization: string) => api.request('GET', '/v1/contacts', { headers: { authorization } });

function expectRefusal({ status, headers, body }: TestResponse, challenge: string): void {
  expect(status).toBe(401);
  expect(body).toEqual({ error: 'invalid_token' });
  expect(headers.get('www-authenticate')).toBe(challenge);
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('x-request-id')).toBeTruthy();
}

describe('every endpoint behind a token', () => {
  const guarded = routes
    .filter(({ access }) => access === 'bearer')
    .flatMap(({ methods, path }) => methods.map((method) => ({ method, path: path.replaceAll(/\{\w+\}/g, 'none') })));

  test.each(guarded)('asks for it first: $method $path', async ({ method, path }) => {
    const body = method === 'GET' ? {} : { body: '{', headers: { 'content-type': 'text/plain' } };
    expectRefusal(await api.request(method, `${path}?limit=x`, body), 'Bearer');
    const refused = await api.request(method, path, { ...body, token: 'unknown' });
    expectRefusal(refused, 'Bearer error="invalid_token"');
  });

  test('never reads one from the query string or the body', async () => {
    expectRefusal(await api.request('GET', `/v1/contacts?access_token=${team.token}`), 'Bearer');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = `access_token=${team.token}`;
    expectRefusal(await api.request('POST', '/v1/contacts', { body, headers }), 'Bearer');
  });
});

test('an empty Authorization header holds no credentials', async () => {
  expectRefusal(await listWith(''), 'Bearer');
});

describe('a token', () => {
  test('that the service gave is good', async () => {
    expect((await listWith(`Bearer ${team.token}`)).status).toBe(200);
    expect((await listWith(`bearer ${team.token}`)).status).toBe(200);
  });

  test('that is signed with the right key and says the right things is good', async () => {
    expect((await listWith(`Bearer ${await signToken(claims(), key)}`)).status).toBe(200);
  });

  test.each([
    ['the scheme alone', 'Bearer'],
    ['two words', 'Bearer a b'],
    ['three parts of nothing', 'Bearer ...'],
    ['three parts of nonsense', 'Bearer x.y.z'],
    ['another scheme', 'Basic YTpi'],
    ['very much', `Bearer ${'x'.repeat(7000)}`],
  ])('that is malformed is refused: %s', async (_, authorization) => {
    expectRefusal(await listWith(authorization), 'Bearer error="invalid_token"');
  });

  const forged: [what: string, make: () => Promise<string> | string][] = [
    ['expired', () => signToken(claims({ exp: nowInSeconds() }), key)],
    ['expired long ago', () => signToken(claims({ exp: 1 }), key)],
    ['without an expiry', () => signToken(claims({ exp: undefined }), key)],
    ['of another issuer', () => signToken(claims({ iss: 'https://elsewhere.example.com' }), key)],
    ['for another audience', () => signToken(claims({ aud: 'https://elsewhere.example.com' }), key)],
    ['of an unknown client', () => signToken(claims({ client_id: crypto.randomUUID() }), key)],
    ['of another team than its client', () => signToken(claims({ team_id: crypto.randomUUID() }), key)],
    ['signed by nobody', () => new UnsecuredJWT(claims()).encode()],
    ['signed by another key', async () => signToken(claims(), await strangeKey())],
    [
      'signed by another key in the name of ours',
      async () => signToken(claims(), { ...(await strangeKey()), kid: key.kid }),
    ],
    ['signed by HMAC with our public key', hmacToken],
    ['of another type', typeless],
    ['with a changed claim', async () => spliced(team.token, claims({ team_id: crypto.randomUUID() }))],
  ];
  test.each(forged)('that is %s is refused', async (_, make) => {
    expectRefusal(await listWith(`Bearer ${await make()}`), 'Bearer error="invalid_token"');
  });

  test('is refused from the second in which it expires', async () => {
    const exp = nowInSeconds() + 2;
    const authorization = `Bearer ${await signToken(claims({ exp }), key)}`;
    expect((await listWith(authorization)).status).toBe(200);
    await sleep(exp * 1000 - Date.now() + 5);
    expectRefusal(await listWith(authorization), 'Bearer error="invalid_token"');
  });

  test('of a revoked client is refused', async () => {
    const gone = await api.newTeam();
    await revokeClient(
      { database: api.database, now: Date.now, pause: async () => {} },
      gone.clientId,
      'administrator',
    );
    // No instance has seen this client before; `test/auth/verifier.test.ts` shows the thirty seconds where one has.
    expectRefusal(await listWith(`Bearer ${gone.token}`), 'Bearer error="invalid_token"');
  });
});

describe('what belongs to another team', () => {
  test('does not exist: reading and changing it is 404, as for what nobody has', async () => {
    const other = await api.newTeam();
    const made = await api.request('POST', '/v1/contacts', { token: team.token, body: { unique_id: 'c1' } });
    expect(made.status).toBe(201);
    const id = made.body.id ?? made.body.contact?.id;
    const answers = await Promise.all(
      [id, crypto.randomUUID()].map(async (each) => {
        const token = other.token;
        const all = await Promise.all([
          api.request('GET', `/v1/contacts/${each}`, { token }),
          api.request('PATCH', `/v1/contacts/${each}`, { token, body: { city: 'Bern' } }),
          api.request('GET', `/v1/contacts/${each}/accounts`, { token }),
        ]);
        return all.map(({ status, body }) => ({ status, body: { ...body, request_id: '' } }));
      }),
    );
    expect(answers[0]!.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(answers[0]).toEqual(answers[1]);
    expect((await api.request('GET', '/v1/contacts', { token: other.token })).body.contacts).toEqual([]);
    expect((await api.request('GET', `/v1/contacts/${id}`, { token: team.token })).status).toBe(200);
  });

  test('does not collide: the same unique_id is another contact', async () => {
    const [one, two] = [await api.newTeam(), await api.newTeam()];
    const [first, second] = await Promise.all(
      [one, two].map(({ token }) => api.request('POST', '/v1/contacts', { token, body: { unique_id: 'same' } })),
    );
    expect([first!.status, second!.status]).toEqual([201, 201]);
    expect(first!.body).not.toEqual(second!.body);
  });
});

async function strangeKey(): Promise<PrivateKey> {
  const { kid, privateJwk } = await newKeyPair();
  return { kid, jwk: privateJwk, usable_from: 0 };
}

/** Algorithm confusion: the public key used as a shared secret. */
function hmacToken(): Promise<string> {
  const { d, ...publicJwk } = key.jwk;
  const pem = createPublicKey({ key: publicJwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  return new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: key.kid }).sign(Buffer.from(pem));
}

async function typeless(): Promise<string> {
  return new SignJWT(claims())
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: key.kid })
    .sign(await importJWK(key.jwk, 'ES256'));
}

function spliced(token: string, body: Record<string, unknown>): string {
  const [head, , signature] = token.split('.');
  return [head, Buffer.from(JSON.stringify(body)).toString('base64url'), signature].join('.');
}
