import { generateKeyPairSync, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { newKeyPair } from '../../../lib/auth/tokens.ts';
import { newClient, revoked } from '../../../lib/domain/access/client.ts';
import { allScopes } from '../../../lib/domain/access/scope.ts';
import { Problem } from '../../../lib/domain/values/problem.ts';
import {
  claims,
  clientId,
  pair,
  published,
  seconds,
  start,
  teamId,
  tokenOf,
  world,
} from '../../support/http/verifier.ts';

describe('a token', () => {
  test('of a live client is let in, and says client and team', async () => {
    const state = {};
    const verified = await world().verify(`Bearer ${await tokenOf()}`, state);
    expect(verified).toMatchObject({ clientId, teamId });
    expect(state).toEqual({ caller: { clientId, teamId } });
  });

  test('has the type of an access token (RFC 9068)', async () => {
    expect(decodeProtectedHeader(await tokenOf())).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: pair.kid });
  });

  test('that is refused says why, for the log', async () => {
    const error: unknown = await world()
      .verify('Bearer x.y.z')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid_token', cause: expect.any(Error) });
  });

  test('may have a header of 4,096 characters', async () => {
    const token = await tokenOf();
    const header = (length: number) => `Bearer${' '.repeat(length - 6 - token.length)}${token}`;
    expect(await world().outcome(header(4096))).toBe('let in');
    expect(await world().outcome(header(4097))).toBe('invalid_token');
  });

  test('holds the scopes that it names, or without any, as before there were scopes, those of its client', async () => {
    const scopesOf = async (changes: Record<string, unknown>, { verify } = world()) => {
      return [...(await verify(`Bearer ${await tokenOf(changes)}`)).scopes];
    };
    expect(await scopesOf({ scope: 'contacts:read journeys:read' })).toEqual(['contacts:read', 'journeys:read']);
    expect(await scopesOf({ scope: 'contacts:read of-a-later-day' })).toEqual(['contacts:read']);
    expect(await scopesOf({ scope: '' })).toEqual([]);
    expect(await scopesOf({})).toEqual(allScopes);
    const limited = world();
    limited.state.client = newClient(clientId, teamId, 'hash', start, { scopes: ['imports:write'] });
    expect(await scopesOf({}, limited)).toEqual(['imports:write']);
  });

  test.each(['bearer', 'BEARER', 'Bearer '])('is taken after the scheme written as %j', async (scheme) => {
    expect(await world().outcome(`${scheme} ${await tokenOf()}`)).toBe('let in');
  });

  test('is refused from the very second in which it expires', async () => {
    const { state, outcome } = world();
    const token = await tokenOf();
    state.now = start + 3_600_000 - 1;
    expect(await outcome(`Bearer ${token}`)).toBe('let in');
    state.now = start + 3_600_000;
    expect(await outcome(`Bearer ${token}`)).toBe('invalid_token');
    expect(await world().outcome(`Bearer ${await tokenOf({ exp: seconds(start) })}`)).toBe('invalid_token');
  });

  const refused: [what: string, make: () => Promise<string> | string][] = [
    ['of another issuer', () => tokenOf({ iss: 'https://elsewhere.example.com' })],
    ['for another audience', () => tokenOf({ aud: 'https://elsewhere.example.com' })],
    ['without an issuer', () => tokenOf({ iss: undefined })],
    ['without an audience', () => tokenOf({ aud: undefined })],
    ['without an expiry', () => tokenOf({ exp: undefined })],
    ['whose expiry is text', () => tokenOf({ exp: '9999999999' })],
    ['without a time of issue', () => tokenOf({ iat: undefined })],
    ['without a subject', () => tokenOf({ sub: undefined })],
    ['without an id', () => tokenOf({ jti: undefined })],
    ['without a client', () => tokenOf({ client_id: undefined })],
    ['without a team', () => tokenOf({ team_id: undefined })],
    ['of an unknown client', () => tokenOf({ client_id: '00000000-0000-4000-8000-000000000000' })],
    ['that names another team than its client has', () => tokenOf({ team_id: '00000000-0000-4000-8000-000000000000' })],
    ['whose client is no text', () => tokenOf({ client_id: { $ne: null } })],
    ['signed by a key that was never published', async () => tokenOf({}, await newKeyPair())],
    ['signed by another key under a published id', async () => tokenOf({}, { ...(await newKeyPair()), kid: pair.kid })],
    ['of another type of JWT', () => resigned({ typ: 'JWT' })],
    ['without a type', () => resigned({ typ: undefined })],
    ['without a key id', () => resigned({ kid: undefined })],
    ['with an extension that must be understood', () => resigned({ crit: ['http://example.com/x'] })],
    ['that is not signed', () => new UnsecuredJWT(claims()).encode()],
    ['that says its algorithm is none', async () => `${header({ alg: 'none' })}.${(await tokenOf()).split('.')[1]}.`],
    ['signed by HMAC with the public key as the secret', hmacToken],
    ['signed by RSA', rsaToken],
    ['with other claims under a good signature', async () => withClaims(await tokenOf(), { exp: 9999999999 })],
    ['with a byte of the signature changed', async () => flipped(await tokenOf())],
    ['cut short', async () => (await tokenOf()).slice(0, -10)],
  ];
  test.each(refused)('%s is refused', async (_, make) => {
    expect(await world().outcome(`Bearer ${await make()}`)).toBe('invalid_token');
  });

  test('stops with the expiry of its client, also where the client is remembered', async () => {
    const { state, outcome } = world();
    const expiry = new Date(start + 10_000).toISOString();
    state.client = newClient(clientId, teamId, 'hash', start, { expiry });
    const authorization = `Bearer ${await tokenOf()}`;
    state.now = start + 9_999;
    expect(await outcome(authorization)).toBe('let in');
    state.now = start + 10_000;
    expect(await outcome(authorization)).toBe('invalid_token');
  });

  test('is only looked for in a well-formed Bearer header', async () => {
    const token = await tokenOf();
    const headers = [
      ...[undefined, '', 'Bearer', 'Bearer ', token, `Basic ${token}`, `Bearer:${token}`, `Bearer "${token}"`],
      ...[`Bearer ${token} ${token}`, `Bearer ${token},Bearer ${token}`, `Bearer ${token}==`],
      `Bearer ${'a'.repeat(10_000)}`,
    ];
    const { outcome } = world();
    expect(await Promise.all(headers.map(outcome))).toEqual(headers.map(() => 'invalid_token'));
  });

  test('that nobody signed is refused, whatever it looks like', async () => {
    const { outcome } = world();
    const part = fc.oneof(fc.base64String(), fc.json().map(base64url), fc.string());
    const text = fc.oneof(
      fc.array(part, { maxLength: 5 }).map((parts) => parts.join('.')),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(text, async (value) => (await outcome(`Bearer ${value}`)) === 'invalid_token'),
      { numRuns: 200 },
    );
  });
});

const base64url = (text: string) => Buffer.from(text).toString('base64url');
const header = (fields: Record<string, unknown>) =>
  base64url(JSON.stringify({ typ: 'at+jwt', kid: pair.kid, ...fields }));

/** Signed with the right key, with a header that `changes` makes invalid. */
async function resigned(changes: Record<string, unknown>): Promise<string> {
  const { subtle } = globalThis.crypto;
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  const key = await subtle.importKey('jwk', pair.privateJwk, curve, false, ['sign']);
  const input = `${header({ alg: 'ES256', ...changes })}.${base64url(JSON.stringify(claims()))}`;
  const signature = await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, Buffer.from(input));
  return `${input}.${Buffer.from(signature).toString('base64url')}`;
}

const hmacToken = () =>
  new SignJWT(claims())
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: pair.kid })
    .sign(Buffer.from(JSON.stringify(pair.publicJwk)));

const rsaToken = () =>
  new SignJWT(claims())
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: pair.kid })
    .sign(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);

function withClaims(token: string, changes: Record<string, unknown>): string {
  const [head, , signature] = token.split('.');
  return [head, base64url(JSON.stringify(claims(changes))), signature].join('.');
}

function flipped(token: string): string {
  const [head, body, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  bytes[0]! ^= randomBytes(1)[0]! | 1;
  return [head, body, bytes.toString('base64url')].join('.');
}

describe('the state of the client', () => {
  test('is read once in twenty seconds, however many tokens come', async () => {
    const { state, outcome } = world();
    const tokens = await Promise.all([tokenOf({ jti: '1' }), tokenOf({ jti: '2' })]);
    for (const elapsed of [0, 5_000, 19_999]) {
      state.now = start + elapsed;
      await Promise.all(tokens.map((token) => outcome(`Bearer ${token}`)));
    }
    expect(state.clientReads).toBe(1);
    state.now = start + 20_000;
    await outcome(`Bearer ${tokens[0]}`);
    expect(state.clientReads).toBe(2);
  });

  test('shuts a revoked client out within thirty seconds, tokens that were let in before included', async () => {
    const { state, outcome } = world();
    const token = await tokenOf();
    expect(await outcome(`Bearer ${token}`)).toBe('let in');
    state.client = revoked(state.client!, 'administrator', state.now);
    state.now += 30_000;
    expect(await outcome(`Bearer ${token}`)).toBe('invalid_token');
  });

  test('that cannot be read lets nobody in, and is asked for again', async () => {
    const { state, outcome } = world();
    const token = await tokenOf();
    state.clientsAway = true;
    expect(await outcome(`Bearer ${token}`)).toBe('unavailable');
    state.clientsAway = false;
    expect(await outcome(`Bearer ${token}`)).toBe('let in');
    state.clientsAway = true;
    state.now += 20_000;
    expect(await outcome(`Bearer ${token}`)).toBe('unavailable');
  });
});

describe('the public keys', () => {
  test('that cannot be read are no fault of the token: the error goes on, with its cause', async () => {
    const { state, verify } = world();
    state.keys = [{ ...published(pair), jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: '' } as never }];
    const error = (await verify(`Bearer ${await tokenOf()}`).catch((thrown: unknown) => thrown)) as Error;
    expect(error).not.toBeInstanceOf(Problem);
    const message = 'the published keys cannot be read';
    expect(error).toMatchObject({ name: 'KeysUnreadable', message, cause: expect.any(Error) });
  });

  test('are read again at a key id that is new', async () => {
    const { state, outcome } = world();
    await outcome(`Bearer ${await tokenOf()}`);
    const next = await newKeyPair();
    state.keys = [...state.keys, published(next)];
    state.now += 10_000;
    expect(await outcome(`Bearer ${await tokenOf({}, next)}`)).toBe('let in');
    expect(await outcome(`Bearer ${await tokenOf({ jti: '2' }, next)}`)).toBe('let in');
    expect(state.keyReads).toBe(2);
  });

  test('are not read again for every key id that somebody invents', async () => {
    const { state, outcome } = world();
    await outcome(`Bearer ${await tokenOf()}`);
    const forged = await newKeyPair();
    for (let elapsed = 0; elapsed <= 20_000; elapsed += 500) {
      state.now = start + elapsed;
      await outcome(`Bearer ${await tokenOf({}, { ...forged, kid: `invented-${elapsed}` })}`);
    }
    expect(state.keyReads).toBe(3);
  });

  test('are read again after five minutes, and a key that is gone then signs nothing more', async () => {
    const { state, outcome } = world();
    const token = await tokenOf();
    expect(await outcome(`Bearer ${token}`)).toBe('let in');
    state.keys = [];
    state.now += 299_999;
    expect(await outcome(`Bearer ${token}`)).toBe('let in');
    state.now += 1;
    expect(await outcome(`Bearer ${token}`)).toBe('invalid_token');
  });

  test('count until they are needed no longer', async () => {
    const { state, outcome } = world();
    state.keys = [published(pair, start + 60_000)];
    const token = await tokenOf();
    expect(await outcome(`Bearer ${token}`)).toBe('let in');
    state.now = start + 60_000;
    expect(await outcome(`Bearer ${token}`)).toBe('invalid_token');
  });

  test('that cannot be read let nobody in, and are asked for again', async () => {
    const { state, outcome } = world();
    const token = await tokenOf();
    state.keysAway = true;
    expect(await outcome(`Bearer ${token}`)).toBe('unavailable');
    state.keysAway = false;
    expect(await outcome(`Bearer ${token}`)).toBe('let in');
  });
});
