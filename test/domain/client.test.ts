import { describe, expect, test } from 'vitest';
import { liveSecretHashes, newClient, revoked, secretOverlap, withNewSecret } from '../../lib/domain/client.ts';

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
