import { describe, expect, test } from 'vitest';
import { hashSecret, isSecretOf, newSecret, newSlug } from '../../../lib/auth/secrets.ts';

test('the slug of a journey is 144 random bits in an alphabet that needs no encoding', () => {
  const slugs = new Set(Array.from({ length: 1000 }, newSlug));
  expect(slugs.size).toBe(1000);
  for (const slug of slugs) expect(slug).toMatch(/^[\w-]{24}$/);
});

describe('a client secret', () => {
  test('is 256 random bits in an alphabet that needs no encoding', () => {
    const secrets = new Set(Array.from({ length: 1000 }, newSecret));
    expect(secrets.size).toBe(1000);
    for (const secret of secrets) {
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    }
  });

  test('is not in its hash', () => {
    const secret = newSecret();
    expect(hashSecret(secret)).not.toContain(secret);
    expect(hashSecret('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
  });

  test('is known by either of two hashes, and by no other', () => {
    const [one, two, three] = [newSecret(), newSecret(), newSecret()];
    const hashes = [hashSecret(one), hashSecret(two)];
    expect([one, two, three, ''].map((secret) => isSecretOf(hashes, secret))).toEqual([true, true, false, false]);
  });

  test('is never right where there are no hashes', () => {
    expect(isSecretOf([], '')).toBe(false);
    expect(isSecretOf([], newSecret())).toBe(false);
  });
});
