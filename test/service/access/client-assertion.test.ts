import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf } from '../../../lib/store/table/digest.ts';
import { assertionKey, clientKey } from '../../../lib/store/table/keys.ts';
import { admin, adminJson } from '../../support/service/admin.ts';
import { service, type TestResponse, type TestService, type TestTeam } from '../../support/service/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'jwks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' });
const pairs = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  other: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
};

function fileOf(document: unknown): string {
  const path = join(folder, `${randomUUID()}.json`);
  writeFileSync(path, JSON.stringify(document));
  return path;
}
const jwks = (...keys: object[]) => fileOf({ keys });

let api: TestService;
let team: TestTeam;
/** Has one key of each kind. */
let clientId: string;
async function newClient(file: string, ...options: string[]): Promise<string> {
  const { status, value } = await adminJson('client', 'create', '--team', team.teamId, '--jwks', file, ...options);
  expect(status).toBe(0);
  expect(Object.keys(value).sort()).toEqual(['client_id', 'team_id']);
  return value.client_id;
}
beforeAll(async () => {
  api = await service();
  team = await api.newTeam();
  const keys = (['ES256', 'ES384', 'RS256'] as const).map((kid) => ({ ...jwkOf(pairs[kid].publicKey), kid }));
  clientId = await newClient(jwks(...keys));
});

const now = () => Math.floor(Date.now() / 1000);
const claims = (changes: object = {}) => ({
  ...{ iss: clientId, sub: clientId, aud: api.baseUrl, exp: now() + 60, jti: randomUUID() },
  ...changes,
});
const signed = (changes: object = {}, header: object = {}, key: KeyObject = pairs.ES256.privateKey) =>
  new SignJWT(JSON.parse(JSON.stringify(claims(changes)))).setProtectedHeader({ alg: 'ES256', ...header }).sign(key);

const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const fields = (assertion: string, more: object = {}) => ({
  ...{ grant_type: 'client_credentials', client_assertion_type: jwtBearer, client_assertion: assertion },
  ...more,
});
const ask = (assertion: string, more: object = {}, headers: Record<string, string> = {}) =>
  api.request('POST', '/oauth2/token', { body: fields(assertion, more), headers });

function expectRefusal({ status, headers, body }: TestResponse): void {
  expect([status, body]).toEqual([401, { error: 'invalid_client', error_description: expect.any(String) }]);
  expect(headers.get('www-authenticate')).toBe('Basic realm="onboarding"');
  expect(headers.get('cache-control')).toBe('no-store');
}

describe('an assertion', () => {
  test('counts once where it comes twenty times at the same moment', async () => {
    const assertion = await signed();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(assertion)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const refused of answers.filter(({ status }) => status !== 200)) expectRefusal(refused);
  });
});

/** What else is refused is tested in test/unit/auth/client-assertion.test.ts. */
describe('an assertion is refused as invalid_client', () => {
  const attacks: [what: string, assertion: () => Promise<string> | string, more?: object][] = [
    ['signed by a key of nobody', () => signed({}, {}, pairs.other.privateKey)],
    [
      'signed by a key that it brings along',
      () => signed({}, { jwk: jwkOf(pairs.other.publicKey) as never }, pairs.other.privateKey),
    ],
    [
      'whose header names an algorithm of another key',
      () => signed({}, { alg: 'ES384', kid: 'ES256' }, pairs.ES384.privateKey),
    ],
    ['by RS512', () => signed({}, { alg: 'RS512' }, pairs.RS256.privateKey)],
    ['for a client that has a secret', () => signed({ iss: team.clientId, sub: team.clientId })],
    ['for a client of the prototype', () => signed({ iss: '__proto__', sub: '__proto__' })],
    ['for a subject that is an object', () => signed({ iss: {}, sub: {} })],
    ['beside another client_id', () => signed(), { client_id: randomUUID() }],
    [
      'of another type',
      () => signed(),
      { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' },
    ],
    ['without a type', () => signed(), { client_assertion_type: null }],
    ['that is very long', () => `${'a'.repeat(5000)}.${'a'.repeat(5000)}.a`],
  ];
  test.each(attacks)('%s', async (_, assertion, more = {}) => {
    expectRefusal(await ask(await assertion(), more));
  });

  test('of a client that was revoked', async () => {
    const gone = await newClient(jwks(jwkOf(pairs.ES256.publicKey)));
    expect((await ask(await signed({ iss: gone, sub: gone }))).status).toBe(200);
    await adminJson('client', 'revoke', gone);
    expectRefusal(await ask(await signed({ iss: gone, sub: gone })));
  });
});

describe('one request authenticates in one way', () => {
  const basic = `Basic ${Buffer.from('id:secret').toString('base64')}`;
  test.each<[string, object, Record<string, string>]>([
    ['a secret', { client_secret: 'x' }, {}],
    ['Basic', {}, { authorization: basic }],
  ])('so an assertion beside %s is 400 invalid_request, and stays unused', async (_, more, headers) => {
    const assertion = await signed();
    const { status, body } = await ask(assertion, more, headers);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect((await ask(assertion)).status).toBe(200);
  });

  test.each<[string, (as: object) => Promise<string>, boolean]>([
    ['a valid assertion', (as) => signed(as), true],
    ['an expired one', (as) => signed({ ...as, exp: now() - 30 }), false],
    ['one for another audience', (as) => signed({ ...as, aud: 'https://a.example' }), false],
    ['one signed by another key', (as) => signed(as, {}, pairs.other.privateKey), false],
  ])('and %s in the URL is 400, used up and revoking only if it is valid', async (_, assertionOf, isValid) => {
    const exposed = await newClient(jwks(jwkOf(pairs.ES256.publicKey)));
    const as = { iss: exposed, sub: exposed, jti: randomUUID() };
    const query = new URLSearchParams({ client_assertion: await assertionOf(as), client_id: exposed }).toString();
    const { status, body } = await api.request('POST', `/oauth2/token?${query}`, { body: fields(await signed()) });
    const secretInUrl = await api.request('GET', `/oauth2/token?client_id=${randomUUID()}&client_secret=x`);
    expect([status, body]).toEqual([400, secretInUrl.body]);
    const keys = [clientKey(exposed), assertionKey(exposed, digestOf(as.jti))];
    const [client, used] = await api.database.get(keys);
    expect([client!.revoked_by, used !== undefined]).toEqual([isValid ? 'query_string' : null, isValid]);
    expect((await ask(await signed({ ...as, jti: randomUUID() }))).status).toBe(isValid ? 401 : 200);
  });

  test('a client with keys has no secret that it could show', async () => {
    const [item] = await api.database.get([clientKey(clientId)]);
    expect(item!.secrets).toEqual([]);
    for (const client_secret of ['', 'x']) {
      const body = { grant_type: 'client_credentials', client_id: clientId, client_secret };
      expect((await api.request('POST', '/oauth2/token', { body })).status).toBe(401);
    }
  });
});

describe('the keys of a client', () => {
  test('are listed, and its scopes are those of any client', async () => {
    const id = await newClient(
      jwks({ ...jwkOf(pairs.ES256.publicKey), use: 'sig', alg: 'ES256' }),
      '--scope',
      'accounts:read',
    );
    const { value } = await adminJson('client', 'list', '--team', team.teamId);
    const listed = value.find((each: { client_id: string }) => each.client_id === id);
    expect(listed).toMatchObject({ keys: [jwkOf(pairs.ES256.publicKey)], secrets: [], scopes: ['accounts:read'] });
    expect((await ask(await signed({ iss: id, sub: id }))).body.scope).toBe('accounts:read');
    const { stdout } = await admin(['client', 'list', '--team', team.teamId]);
    expect(stdout).toMatch(new RegExp(`${id}.*a key .*accounts:read`));
  });

  test('are replaced by set-keys: the old ones count no more', async () => {
    const id = await newClient(jwks(jwkOf(pairs.ES256.publicKey)));
    const as = { iss: id, sub: id };
    const { status, value } = await adminJson('client', 'set-keys', id, '--jwks', jwks(jwkOf(pairs.other.publicKey)));
    expect([status, value.keys]).toEqual([0, [jwkOf(pairs.other.publicKey)]]);
    expectRefusal(await ask(await signed(as)));
    expect((await ask(await signed(as, {}, pairs.other.privateKey))).status).toBe(200);
  });

  test('are for clients that have some: set-keys refuses a client with a secret, rotate one with keys', async () => {
    const file = jwks(jwkOf(pairs.ES256.publicKey));
    const set = await adminJson('client', 'set-keys', team.clientId, '--jwks', file);
    expect([set.status, set.value.details[0].message]).toEqual([1, expect.stringContaining('secret')]);
    const rotated = await adminJson('client', 'rotate', clientId);
    expect([rotated.status, rotated.value.details[0].message]).toEqual([1, expect.stringContaining('set-keys')]);
    expect((await adminJson('client', 'set-keys', randomUUID(), '--jwks', file)).value.error).toBe('not_found');
    await adminJson('client', 'revoke', await newClient(file));
  });
});
