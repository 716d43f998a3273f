import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  createClient,
  createKeyClient,
  rotateClient,
  setClientKeys,
} from '../../../bin/admin/operations/access/clients.ts';
import { createTeam } from '../../../bin/admin/operations/teams/teams.ts';
import { hashSecret } from '../../../lib/auth/secrets.ts';
import { liveSecretHashes } from '../../../lib/domain/access/client.ts';
import type { ClientKey } from '../../../lib/domain/access/client-key.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { assertionAuthentication } from '../../../lib/operations/access/authenticate.ts';
import { revokeClient, revokeExposed } from '../../../lib/operations/access/clients.ts';
import { loadClient } from '../../../lib/store/access/clients.ts';
import { bound, type Database } from '../../../lib/store/table/database.ts';
import { globalTeam } from '../../../lib/store/table/keys.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { entriesOf, tokenAudit } from '../../support/operations/audit.ts';
import { serviceOn } from '../../support/operations/operations.ts';

const start = Date.parse('2026-03-01T12:00:00Z');
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = pair.publicKey.export({ format: 'jwk' }) as ClientKey;

let database: ModelDatabase;
let team: string;
let now: number;
let secrets: number;
const dependencies = () => ({
  ...serviceOn(database, {
    now: () => now,
    newSecret: () => `secret-${++secrets}`,
    baseUrl: 'https://api.example.com',
  }),
  ...tokenAudit(),
});

beforeEach(async () => {
  database = new ModelDatabase();
  [now, secrets] = [start, 0];
  team = (await createTeam(dependencies(), { name: 'Bank', features: [] })).team_id;
  secrets = 0;
});

const refusal = (message: string) => ({
  code: 'validation_failed',
  details: [{ path: '/client', message: expect.stringContaining(message) }],
});

describe('a new client', () => {
  test('has a secret that is stored only as a hash, and every scope', async () => {
    const issued = await createClient(dependencies(), team);
    expect(issued).toEqual({ client_id: expect.any(String), client_secret: 'secret-1', team_id: team });
    const stored = await loadClient(database, issued.client_id);
    expect(stored).toMatchObject({ team_id: team, scopes: null, keys: null, name: null, expiry: null });
    expect(stored?.secrets.map(({ hash }) => hash)).toEqual([hashSecret('secret-1')]);
  });

  test('has the name, the expiry and the scopes that it is given, each scope once', async () => {
    const settings = { name: 'Nightly', expiry: timestamp(start + 1000) };
    const scopes = ['journeys:read', 'contacts:read', 'journeys:read'] as const;
    const { client_id } = await createClient(dependencies(), team, scopes, settings);
    expect(await loadClient(database, client_id)).toMatchObject({
      ...settings,
      scopes: ['contacts:read', 'journeys:read'],
    });
  });

  test('can have keys instead of a secret', async () => {
    const issued = await createKeyClient(dependencies(), team, [key], ['contacts:read'], { name: 'Keys' });
    expect(issued).toEqual({ client_id: expect.any(String), team_id: team });
    expect(await loadClient(database, issued.client_id)).toMatchObject({
      keys: [key],
      secrets: [],
      scopes: ['contacts:read'],
      name: 'Keys',
    });
  });

  test('is refused without a team, and if its id is taken', async () => {
    await expect(createClient(dependencies(), crypto.randomUUID())).rejects.toMatchObject({
      code: 'validation_failed',
      details: [{ path: '/team', message: 'there is no such team' }],
    });
    const { client_id } = await createClient(dependencies(), team);
    const again = { ...dependencies(), newId: () => client_id };
    await expect(createKeyClient(again, team, [key])).rejects.toMatchObject({
      code: 'internal_error',
      message: 'a new id already exists',
    });
    expect((await loadClient(database, client_id))?.keys).toBeNull();
  });
});

describe('a client', () => {
  const withSecret = async (expiry: string | null = null) =>
    (await createClient(dependencies(), team, null, { expiry })).client_id;
  const withKeys = async (expiry: string | null = null) =>
    (await createKeyClient(dependencies(), team, [key], null, { expiry })).client_id;

  test('gets a new secret beside the previous one', async () => {
    const client_id = await withSecret();
    const issued = { client_id, client_secret: 'secret-2', team_id: team };
    expect(await rotateClient(dependencies(), client_id)).toEqual(issued);
    const hashes = (await loadClient(database, client_id))?.secrets.map(({ hash }) => hash);
    expect(hashes).toEqual([hashSecret('secret-2'), hashSecret('secret-1')]);
  });

  test('keeps the previous secret if the response of the rotation was lost', async () => {
    const client_id = await withSecret();
    // The table's client sends the write again, and its condition fails then.
    const write: Database['write'] = async (writes) => {
      await database.write(writes);
      return database.write(writes);
    };
    const rotation = rotateClient({ ...dependencies(), database: { ...bound(database), write } }, client_id);
    expect(await rotation).toMatchObject({ client_secret: 'secret-2' });
    const stored = await loadClient(database, client_id);
    expect(liveSecretHashes(stored!, now)).toEqual([hashSecret('secret-2'), hashSecret('secret-1')]);
  });

  test('gets other keys', async () => {
    const client_id = await withKeys();
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }) as ClientKey;
    expect(await setClientKeys(dependencies(), client_id, [other])).toMatchObject({ client_id, keys: [other] });
    expect((await loadClient(database, client_id))?.keys).toEqual([other]);
  });

  test('that does not exist is not changed', async () => {
    const none = crypto.randomUUID();
    expect(await rotateClient(dependencies(), none)).toBeUndefined();
    expect(await setClientKeys(dependencies(), none, [key])).toBeUndefined();
    expect(await revokeClient(dependencies(), none, 'administrator')).toBeUndefined();
  });

  test('that is revoked, expired or of the other kind gets no new credential', async () => {
    const expiry = timestamp(start + 1000);
    const [secret, keys] = [await withSecret(), await withKeys()];
    await expect(rotateClient(dependencies(), keys)).rejects.toMatchObject(refusal('has keys instead of a secret'));
    await expect(setClientKeys(dependencies(), secret, [])).rejects.toMatchObject(refusal('with a secret'));
    for (const id of [secret, keys]) await revokeClient(dependencies(), id, 'administrator');
    await expect(rotateClient(dependencies(), secret)).rejects.toMatchObject(refusal('permanently revoked'));
    await expect(setClientKeys(dependencies(), keys, [])).rejects.toMatchObject(refusal('permanently revoked'));
    const [oldSecret, oldKeys] = [await withSecret(expiry), await withKeys(expiry)];
    now = start + 999;
    await rotateClient(dependencies(), oldSecret);
    await setClientKeys(dependencies(), oldKeys, [key]);
    now = start + 1000;
    await expect(rotateClient(dependencies(), oldSecret)).rejects.toMatchObject(refusal('has expired'));
    await expect(setClientKeys(dependencies(), oldKeys, [])).rejects.toMatchObject(refusal('has expired'));
  });

  test('that is revoked keeps the time and the reason', async () => {
    const client_id = await withSecret();
    const first = await revokeClient(dependencies(), client_id, 'administrator');
    expect(first).toMatchObject({ revoked_by: 'administrator', revoked_at: timestamp(start) });
    now += 1000;
    expect(await revokeClient(dependencies(), client_id, 'query_string')).toEqual(first);
    expect(await loadClient(database, client_id)).toEqual(first);
  });

  test('is not changed if other writes are always first', async () => {
    const client_id = await withSecret();
    const losing = { ...bound(database), write: async (writes: readonly unknown[]) => writes.map(() => false) };
    await expect(rotateClient({ ...dependencies(), database: losing }, client_id)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'too many conflicts on the client',
    });
  });

  test('whose secret was in a URL is revoked, and others are not', async () => {
    const [exposed, other] = [await withSecret(), await withSecret()];
    const sent = { clientIds: [other, crypto.randomUUID(), exposed], secrets: ['wrong', 'secret-1'], assertions: [] };
    expect(await revokeExposed(dependencies(), sent)).toEqual([exposed]);
    expect((await loadClient(database, exposed))?.revoked_by).toBe('query_string');
    expect((await loadClient(database, other))?.revoked_at).toBeNull();
  });

  test('whose URL is sent many times has ten entries a minute, then one with a count', async () => {
    const clientId = await withSecret();
    const { newId, ...shared } = dependencies();
    const sent = (id: string, secret: string) => ({ clientIds: [id], secrets: [secret], assertions: [] });
    const expose = () => revokeExposed({ ...shared, newId, now: () => now }, sent(clientId, 'secret-1'));
    for (let n = 0; n < 12; n++) expect(await expose()).toEqual([clientId]);
    expect(await entriesOf(database, team)).toHaveLength(10);
    const other = await withSecret();
    await revokeExposed({ ...shared, newId, now: () => now }, sent(other, 'secret-2'));
    expect((await entriesOf(database, team)).map(({ who }) => who)).toContain(other);
    now += 60_000;
    await expose();
    const entry = { who: clientId, what: 'token revoked', team_id: team, ids: { client_id: clientId } };
    expect((await entriesOf(database, team)).at(-1)).toEqual({
      ...entry,
      at: timestamp(now),
      outcome: 'done',
      count: 3,
    });
    expect(await entriesOf(database, globalTeam)).toEqual([]);
  });
});

describe('an assertion', () => {
  const issuer = 'https://api.example.com';
  let clientId: string;
  beforeEach(async () => {
    clientId = (await createKeyClient(dependencies(), team, [key])).client_id;
  });
  const signed = (changes: object = {}) =>
    new SignJWT({
      ...{ iss: clientId, sub: clientId, aud: issuer, exp: start / 1000 + 60, jti: crypto.randomUUID() },
      ...changes,
    })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(pair.privateKey as KeyObject);
  const authenticate = async (assertion: string, named?: string) => {
    const found = await assertionAuthentication({ ...dependencies(), baseUrl: issuer }, { assertion, clientId: named });
    return [found.client?.client_id, found.isProven];
  };

  test.each([issuer, `${issuer}/oauth2/token`])('for %s proves its client, once', async (aud) => {
    const assertion = await signed({ aud });
    expect(await authenticate(assertion)).toEqual([clientId, true]);
    expect(await authenticate(assertion)).toEqual([clientId, false]);
  });

  test('proves only the client that the request names, and is not used up by another name', async () => {
    const assertion = await signed();
    expect(await authenticate(assertion, crypto.randomUUID())).toEqual([clientId, false]);
    expect(await authenticate(assertion, clientId)).toEqual([clientId, true]);
  });
});
