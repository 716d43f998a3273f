import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { tokenUnits } from '../../../bench/cost/units.ts';
import { clientKeysOf } from '../../../bin/admin/access/client-keys.ts';
import { rotateClient } from '../../../bin/admin/operations/access/clients.ts';
import { hashSecret, newSecret } from '../../../lib/auth/secrets.ts';
import { newClient, type StoredClient } from '../../../lib/domain/access/client.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { revokeExposed } from '../../../lib/operations/access/clients.ts';
import {
  type IssuedClaims,
  type IssuedToken,
  issueToken,
  type TokenDenial,
} from '../../../lib/operations/access/issue-token.ts';
import { insertClient, loadClient } from '../../../lib/store/access/clients.ts';
import { bound, type Database, StoreUnavailable, type Upsert } from '../../../lib/store/table/database.ts';
import type { Consumed } from '../../../lib/store/table/dynamodb.ts';
import { globalTeam } from '../../../lib/store/table/keys.ts';
import { freshTable, reportsCapacity } from '../../support/engine/engine.ts';
import { countingRoundTrips } from '../../support/engine/round-trips.ts';
import { entriesOf, tokenAudit } from '../../support/operations/audit.ts';
import { serviceOn } from '../../support/operations/operations.ts';

const start = Date.parse('2026-03-15T12:00:00.000Z');
const secret = newSecret();
let now: number;
let client: StoredClient;
let consumed: Consumed[];
let database: Database;
let unrecorded: string[];
let audit: ReturnType<typeof tokenAudit>;

beforeEach(async () => {
  now = start;
  consumed = [];
  unrecorded = [];
  audit = tokenAudit((what) => unrecorded.push(what));
  ({ database } = await freshTable({ onConsumed: (each) => consumed.push(each) }));
  client = newClient(randomUUID(), randomUUID(), hashSecret(secret), start - 1000);
  await insertClient(database, client);
});

const dependencies = (over: Database = database) => ({
  ...serviceOn(over, { now: () => now, pause: async () => {}, baseUrl: 'https://api.example.com' }),
  lifetimeSeconds: 900,
  sign: async (claims: IssuedClaims) => JSON.stringify(claims),
  ...audit,
});
const ask = (
  { clientId = client.client_id, clientSecret = secret, scope }: Record<string, string> = {},
  over: Database = database,
) => issueToken(dependencies(over), { clientId, clientSecret }, scope);
const claimsIn = (issued: IssuedToken | TokenDenial): IssuedClaims => {
  if (typeof issued === 'string') throw new Error(issued);
  return JSON.parse(issued.token);
};
/** The microseconds keep the order within the millisecond. */
const at = (time: number) => expect.stringMatching(new RegExp(`^${timestamp(time).slice(0, 23)}\\d{3}Z$`));
const ofClient = () => ({ at: at(now), who: client.client_id, team_id: client.team_id });

/** Writes to the audit log, or of the last use, fail. */
const failing = (part: 'AUDIT#' | 'CLIENT#'): Database => ({
  ...bound(database),
  write: async (writes: readonly Upsert[]) => {
    const isHit = (write: Upsert) => (write.kind === 'insert' ? write.item.pk : write.key.pk).startsWith(part);
    if (writes.some(isHit)) throw new StoreUnavailable('away');
    return database.write(writes);
  },
});

const isCounted = await reportsCapacity();

describe('a token', () => {
  test('has an entry that names it', async () => {
    const { jti } = claimsIn(await ask());
    expect(await entriesOf(database, client.team_id)).toEqual([
      { ...ofClient(), what: 'token issued', ids: { client_id: client.client_id, jti }, outcome: 'done' },
    ]);
  });

  test('is not given where its entry cannot be written', async () => {
    await expect(ask({}, failing('AUDIT#'))).rejects.toMatchObject({ code: 'unavailable' });
    expect(await entriesOf(database, client.team_id)).toEqual([]);
  });

  test('notes the day of its client, once a day, without a new version', async () => {
    const lastUse = async () => (await loadClient(database, client.client_id))?.last_used_on;
    expect(await lastUse()).toBeUndefined();
    await ask();
    now += 3600_000;
    await ask();
    expect(await loadClient(database, client.client_id)).toEqual({ ...client, last_used_on: '2026-03-15' });
    now += 24 * 3600_000;
    await Promise.all([ask(), ask()]);
    expect(await lastUse()).toBe('2026-03-16');
    await rotateClient(dependencies(), client.client_id);
    expect(await lastUse()).toBe('2026-03-16');
  });

  test('does not depend on that note', async () => {
    expect(claimsIn(await ask({}, failing('CLIENT#')))).toMatchObject({ sub: client.client_id });
    expect(unrecorded).toEqual(['last use']);
  });

  test.runIf(isCounted)('costs its budget', async () => {
    for (const write of [tokenUnits.firstOfDay, tokenUnits.write]) {
      consumed.length = 0;
      const { database: observed, roundTrips } = countingRoundTrips(database);
      await ask({}, observed);
      expect(consumed.reduce((sum, each) => sum + each.readUnits, 0)).toBe(tokenUnits.read);
      expect(consumed.reduce((sum, each) => sum + each.writeUnits, 0)).toBe(write);
      expect(roundTrips()).toBe(tokenUnits.trips);
    }
  });
});

describe('a refusal', () => {
  const refused = (outcome: string) => ({
    ...ofClient(),
    what: 'token refused',
    ids: { client_id: client.client_id },
    outcome,
  });

  test.each<[what: string, asked: Record<string, string>, outcome: TokenDenial]>([
    ['a wrong secret', { clientSecret: 'wrong' }, 'invalid_client'],
    ['an unknown scope', { scope: 'everything' }, 'invalid_scope'],
  ])('for %s is an entry of the client', async (_, asked, outcome) => {
    expect(await ask(asked)).toBe(outcome);
    expect(await entriesOf(database, client.team_id)).toEqual([refused(outcome)]);
  });

  test('of one client is written ten times a minute, and counted beyond that', async () => {
    for (let n = 0; n < 25; n++) await ask({ clientSecret: 'wrong' });
    expect(await entriesOf(database, client.team_id)).toHaveLength(10);
    now += 60_000;
    await ask({ clientSecret: 'wrong' });
    expect((await entriesOf(database, client.team_id)).at(-1)).toEqual({ ...refused('invalid_client'), count: 16 });
  });

  test('is counted for each client, and not together with its revocations', async () => {
    const other = newClient(randomUUID(), client.team_id, hashSecret(secret), start);
    await insertClient(database, other);
    for (let n = 0; n < 10; n++) await ask({ clientSecret: 'wrong' });
    await ask({ clientId: other.client_id, clientSecret: 'wrong' });
    for (const { client_id } of [client, other]) {
      await revokeExposed(dependencies(), { clientIds: [client_id], secrets: [secret], assertions: [] });
    }
    expect(await entriesOf(database, client.team_id)).toHaveLength(13);
  });

  test('of an unknown client is written once a minute, with a count, and names nobody', async () => {
    const ids = [randomUUID(), randomUUID(), 'no id', '', 'x'.repeat(5000)];
    for (const clientId of ids) expect(await ask({ clientId })).toBe('invalid_client');
    now += 60_000;
    await ask({ clientId: randomUUID() });
    const entry = { who: 'unknown', what: 'token refused', team_id: null, ids: {}, outcome: 'invalid_client' };
    expect(await entriesOf(database, globalTeam)).toEqual([
      { ...entry, at: at(start) },
      { ...entry, at: at(now), count: ids.length },
    ]);
    expect(await entriesOf(database, client.team_id)).toEqual([]);
  });

  test('is the same where its entry cannot be written', async () => {
    expect(await ask({ clientSecret: 'wrong' }, failing('AUDIT#'))).toBe('invalid_client');
    expect(unrecorded).toEqual(['token refused']);
  });
});

describe('a client with keys', () => {
  const signed = async (key: Parameters<SignJWT['sign']>[0], jti: string = randomUUID()) =>
    new SignJWT({ jti })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(client.client_id)
      .setSubject(client.client_id)
      .setAudience('https://api.example.com')
      .setExpirationTime(start / 1000 + 60)
      .sign(key);

  test('has an entry of each token, of a replayed assertion, and of one that is signed with another key', async () => {
    const [own, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
    const keys = clientKeysOf({ keys: [await exportJWK(own.publicKey)] } as JsonValue);
    client = newClient(randomUUID(), client.team_id, keys, start);
    await insertClient(database, client);
    const assertions = [await signed(own.privateKey), await signed(other.privateKey)];
    const outcomes = [];
    for (const assertion of [assertions[0]!, ...assertions]) {
      const issued = await issueToken(dependencies(), { assertion, clientId: undefined });
      outcomes.push(typeof issued === 'string' ? issued : 'done');
    }
    expect(outcomes).toEqual(['done', 'invalid_client', 'invalid_client']);
    const entries = await entriesOf(database, client.team_id);
    expect(entries.map(({ outcome }) => outcome).sort()).toEqual(outcomes.sort());
    for (const { who } of entries) expect(who).toBe(client.client_id);
  });
});

describe('a revocation by a secret in a URL', () => {
  const expose = (clientSecret: string, over: Database = database) =>
    revokeExposed(dependencies(over), { clientIds: [client.client_id], secrets: [clientSecret], assertions: [] });

  test('is an entry, a wrong secret is none', async () => {
    await expose('wrong');
    await expose(secret);
    const entry = { ...ofClient(), what: 'token revoked', ids: { client_id: client.client_id }, outcome: 'done' };
    expect(await entriesOf(database, client.team_id)).toEqual([entry]);
  });

  test('happens first, and its entry can be made up for', async () => {
    await expect(expose(secret, failing('AUDIT#'))).rejects.toMatchObject({ code: 'unavailable' });
    expect((await loadClient(database, client.client_id))?.revoked_by).toBe('query_string');
    await expose(secret);
    expect(await entriesOf(database, client.team_id)).toHaveLength(1);
  });
});

describe('a client with an expiry', () => {
  beforeEach(async () => {
    client = { ...client, client_id: randomUUID(), expiry: timestamp(start + 60_500) };
    await insertClient(database, client);
  });

  test('gets tokens that do not outlive it', async () => {
    const issued = await ask();
    expect(issued).toMatchObject({ lifetimeSeconds: 60 });
    expect(claimsIn(issued).exp).toBe(start / 1000 + 60);
  });

  test('gets a token for its last whole second', async () => {
    now += 59_500;
    expect(await ask()).toMatchObject({ lifetimeSeconds: 1 });
  });

  test.each([59_501, 60_500, 90_000])('gets none %i milliseconds later', async (later) => {
    now += later;
    expect(await ask()).toBe('invalid_client');
    expect((await entriesOf(database, client.team_id)).at(-1)).toMatchObject({ what: 'token refused' });
  });
});
