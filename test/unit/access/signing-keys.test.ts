import { expect, test } from 'vitest';
import type { PublicKey } from '../../../lib/domain/access/signing-key.ts';
import { loadPublicKeys, publishKey, retireKey } from '../../../lib/store/access/signing-keys.ts';
import { freshTable } from '../../support/engine/engine.ts';

const key = (kid: string): PublicKey => ({
  kid,
  jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
  published_at: 1_772_366_400_000,
  usable_from: 1_772_366_400_000,
  rotation_id: 'one',
});

test('published keys are read as they were written, and each is ended once', async () => {
  const { database } = await freshTable();
  expect(await loadPublicKeys(database)).toEqual([]);
  for (const kid of ['a', 'b']) expect(await publishKey(database, key(kid))).toBe(true);
  expect(await publishKey(database, { ...key('a'), usable_from: 0 })).toBe(false);
  expect(await retireKey(database, 'a', 5000)).toBe(true);
  expect(await retireKey(database, 'a', 6000)).toBe(false);
  expect(await retireKey(database, 'unknown', 6000)).toBe(false);
  expect(await loadPublicKeys(database)).toEqual([{ ...key('a'), needed_until: 5000 }, key('b')]);
});
