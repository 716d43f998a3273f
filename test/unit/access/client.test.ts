import { describe, expect, test } from 'vitest';
import {
  clientSchema,
  isExpired,
  isLive,
  liveSecretHashes,
  newClient,
  revoked,
  scopesOf,
  secretOverlap,
  tokenLifetime,
  withKeys,
  withNewSecret,
} from '../../../lib/domain/access/client.ts';
import { allScopes } from '../../../lib/domain/access/scope.ts';

const start = Date.parse('2026-03-01T12:00:00Z');
const day = 24 * 3600 * 1000;
const client = newClient('8a6e0804-2bd0-4672-b79d-d97027f9071a', 'c56a4180-65aa-42ec-a945-5fd21dec0538', 'one', start);

describe('the secrets of a client', () => {
  test('are one at first, for good', () => {
    expect(liveSecretHashes(client, start + 1000 * day)).toEqual(['one']);
  });

  test('are two during a rotation, until the old one runs out', () => {
    const rotated = withNewSecret(client, 'two', start);
    expect(liveSecretHashes(rotated, start + secretOverlap - 1)).toEqual(['two', 'one']);
    expect(liveSecretHashes(rotated, start + secretOverlap)).toEqual(['two']);
  });

  test('run out in time where the time was stored with three digits', () => {
    const [newest, old] = withNewSecret(client, 'two', start).secrets;
    const stored = { ...client, secrets: [newest!, { ...old!, expires_at: new Date(start + day).toISOString() }] };
    expect(liveSecretHashes(stored, start + day - 1)).toEqual(['two', 'one']);
    expect(liveSecretHashes(stored, start + day)).toEqual(['two']);
  });

  test('are never more than two: a second rotation ends the oldest at once', () => {
    const rotated = withNewSecret(withNewSecret(client, 'two', start), 'three', start + day);
    expect(liveSecretHashes(rotated, start + day)).toEqual(['three', 'two']);
  });
});

describe('a revocation', () => {
  test('says when and by whom', () => {
    expect(revoked(client, 'query_string', start + day)).toMatchObject({
      revoked_at: '2026-03-02T12:00:00.000000Z',
      revoked_by: 'query_string',
      version: 2,
    });
  });

  test('is for good: another one changes nothing', () => {
    const once = revoked(client, 'query_string', start);
    expect(revoked(once, 'administrator', start + day)).toBe(once);
  });
});

describe('a client', () => {
  const expiring = newClient('id', 'team', 'one', start, { expiry: '2026-03-01T12:00:10.5Z' });

  test('with keys has no secrets, and its keys can be replaced', () => {
    const key = { kid: 'a' } as never;
    const withKey = newClient('id', 'team', [key], start);
    expect(withKey).toMatchObject({ secrets: [], keys: [key], version: 1 });
    const changed = withKeys(withKey, [key, key], start + day);
    expect(changed).toEqual({ ...withKey, keys: [key, key], updated_at: '2026-03-02T12:00:00.000000Z', version: 2 });
    expect(withNewSecret(withKey, 'two', start + day)).toMatchObject({
      secrets: [{ hash: 'two', inserted_at: '2026-03-02T12:00:00.000000Z', expires_at: null }],
      version: 2,
    });
    expect(withNewSecret(withKey, 'two', start).secrets).toHaveLength(1);
  });

  test.each([
    [0, 10, true],
    [10_499, 0, true],
    [10_500, 0, false],
    [20_000, -10, false],
  ])('that expires is live %i ms later, and its tokens for %i seconds: %s', (later, seconds, live) => {
    expect(isLive(expiring, start + later)).toBe(live);
    expect(isExpired(expiring, start + later)).toBe(!live);
    expect(tokenLifetime(expiring, 60, start + later)).toBe(seconds);
  });

  test('without an expiry is live until it is revoked', () => {
    expect(isExpired(client, start + 1000 * day)).toBe(false);
    expect(tokenLifetime(client, 60, start)).toBe(60);
    expect(isLive(client, start)).toBe(true);
    expect(isLive(revoked(client, 'administrator', start), start)).toBe(false);
  });

  test('has all scopes unless it was given some', () => {
    expect(scopesOf(client)).toEqual(allScopes);
    expect(scopesOf({ ...client, scopes: ['contacts:read'] })).toEqual(['contacts:read']);
  });
});

test('a client is read as it was stored', () => {
  const made = newClient(client.client_id, client.team_id, 'one', start, { name: 'Import', scopes: ['contacts:read'] });
  expect(made.secrets).toEqual([{ hash: 'one', inserted_at: '2026-03-01T12:00:00.000000Z', expires_at: null }]);
  expect(made.keys).toBeNull();
  const used = { ...withNewSecret(made, 'two', start), last_used_on: '2026-03-01' };
  for (const each of [made, used, revoked(made, 'administrator', start), revoked(made, 'query_string', start)]) {
    expect(clientSchema.parse(JSON.parse(JSON.stringify(each)))).toStrictEqual(each);
  }
});

test('an old secret is accepted for a week', () => {
  expect(secretOverlap).toBe(604_800_000);
});
