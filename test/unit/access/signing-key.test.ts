import { describe, expect, test } from 'vitest';
import {
  isNeeded,
  keyToSignWith,
  neededUntil,
  type PrivateKey,
  type PublicKey,
  privateKeySchema,
  publicationLead,
  publicKeySchema,
} from '../../../lib/domain/access/signing-key.ts';
import { loadPublicKeys, publishKey, retireKey } from '../../../lib/store/access/signing-keys.ts';
import { freshTable } from '../../support/engine/engine.ts';

const key = (kid: string, usable_from: number): PrivateKey => ({
  kid,
  usable_from,
  jwk: { kty: 'EC', crv: 'P-256', x: '', y: '', d: '' },
});

describe('the key to sign with', () => {
  const now = 1000;
  test.each<[what: string, keys: PrivateKey[], kid: string | undefined]>([
    ['is none where there is none', [], undefined],
    ['is the only one', [key('a', 0)], 'a'],
    ['is the newest that may be used', [key('a', 0), key('b', 900)], 'b'],
    ['is found in any order', [key('b', 900), key('a', 0)], 'b'],
    ['may be used from its very millisecond', [key('a', 0), key('b', now)], 'b'],
    ['is the old one while the new one must wait', [key('b', now + 1), key('a', 0)], 'a'],
    ['is the one that may be used soonest where all must wait', [key('c', 3000), key('b', 2000)], 'b'],
    ['is the one that may be used soonest of three', [key('c', 3000), key('b', 2000), key('d', 4000)], 'b'],
    ['is the only one, although it must wait', [key('a', 2000)], 'a'],
  ])('%s', (_, keys, kid) => {
    expect(keyToSignWith(keys, now)?.kid).toBe(kid);
  });
});

test('a key is published ten minutes before it is used, and until its last token has long expired', () => {
  expect(publicationLead).toBe(600_000);
  // Five minutes of a cache, the lifetime of a token, and ten minutes because clocks differ.
  expect(neededUntil(1000, 3600)).toBe(1000 + 300_000 + 3_600_000 + 600_000);
});

test.each([
  [undefined, true],
  [1001, true],
  [1000, false],
])('a key that is needed until %j is needed at 1000: %s', (needed_until, expected) => {
  expect(isNeeded({ needed_until } as PublicKey, 1000)).toBe(expected);
});

test('keys are read as they were stored, and are P-256 keys', () => {
  const jwk = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };
  const published = { kid: 'a', jwk, published_at: 0, usable_from: 1, needed_until: 2, rotation_id: 'r' };
  const secret = { kid: 'a', jwk: { ...jwk, d: 'd' }, usable_from: 1 };
  expect(publicKeySchema.parse(published)).toEqual(published);
  expect(privateKeySchema.parse(secret)).toEqual(secret);
  expect(publicKeySchema.parse({ ...published, jwk: secret.jwk }).jwk).toEqual(jwk);
  for (const other of [{ kty: 'RSA' }, { crv: 'P-384' }, { x: undefined }, { y: undefined }, { d: undefined }]) {
    expect(privateKeySchema.safeParse({ ...secret, jwk: { ...secret.jwk, ...other } }).success).toBe(false);
  }
});

const storedKey = (kid: string): PublicKey => ({
  kid,
  jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
  published_at: 1_772_366_400_000,
  usable_from: 1_772_366_400_000,
  rotation_id: 'one',
});

test('published keys are read as they were written, and each is ended once', async () => {
  const { database } = await freshTable();
  expect(await loadPublicKeys(database)).toEqual([]);
  for (const kid of ['a', 'b']) expect(await publishKey(database, storedKey(kid))).toBe(true);
  expect(await publishKey(database, { ...storedKey('a'), usable_from: 0 })).toBe(false);
  expect(await retireKey(database, 'a', 5000)).toBe(true);
  expect(await retireKey(database, 'a', 6000)).toBe(false);
  expect(await retireKey(database, 'unknown', 6000)).toBe(false);
  expect(await loadPublicKeys(database)).toEqual([{ ...storedKey('a'), needed_until: 5000 }, storedKey('b')]);
});
