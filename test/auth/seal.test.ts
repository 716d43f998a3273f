import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { open, seal } from '../../lib/auth/seal.ts';
import { newSecret } from '../../lib/auth/secrets.ts';

const secret = newSecret();

describe('sealed text', () => {
  test('opens to what was sealed, whatever that was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        expect(open(secret, 'cursor', seal(secret, 'cursor', value))).toBe(value);
      }),
    );
  });

  test('goes into an address as it is, and is another each time', () => {
    const [one, two] = [seal(secret, 'cursor', 'value'), seal(secret, 'cursor', 'value')];
    expect(one).toMatch(/^[\w-]+$/);
    expect(one).not.toBe(two);
  });

  test('does not open for another team or another purpose', () => {
    const sealed = seal(secret, 'cursor', 'value');
    expect(open(newSecret(), 'cursor', sealed)).toBeUndefined();
    expect(open(secret, 'content', sealed)).toBeUndefined();
  });

  test('does not open once any bit of it was changed', () => {
    const sealed = seal(secret, 'cursor', 'value');
    const bytes = Buffer.from(sealed, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(open(secret, 'cursor', changed.toString('base64url'))).toBeUndefined();
    }
  });

  test('is only the text that was written, not another spelling of it', () => {
    const sealed = seal(secret, 'cursor', 'value');
    for (const spelling of [`${sealed}=`, `${sealed}\n`, ` ${sealed}`, `${sealed}*`, sealed.slice(0, -1)]) {
      expect(open(secret, 'cursor', spelling)).toBeUndefined();
    }
  });

  test('is none of what somebody makes up', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => open(secret, 'cursor', text) === undefined),
    );
  });
});
