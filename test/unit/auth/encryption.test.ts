import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeFor, decrypt, encrypt, isCodeFor } from '../../../lib/auth/encryption.ts';
import { rotated, teamSecrets } from './team-secrets.ts';

const secrets = teamSecrets();

describe('sealed text', () => {
  test('opens to what was sealed, whatever that was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        expect(decrypt(secrets, 'cursor', encrypt(secrets, 'cursor', value))).toBe(value);
      }),
    );
  });

  test('goes into an address as it is, and is another each time', () => {
    const [one, two] = [encrypt(secrets, 'cursor', 'value'), encrypt(secrets, 'cursor', 'value')];
    expect(one).toMatch(/^1\.[\w-]+$/);
    expect(one).not.toBe(two);
  });

  test('does not open for another team or another purpose', () => {
    const sealed = encrypt(secrets, 'cursor', 'value');
    expect(decrypt(teamSecrets(), 'cursor', sealed)).toBeUndefined();
    expect(decrypt(secrets, 'content', sealed)).toBeUndefined();
  });

  test('does not open once any bit of it was changed', () => {
    const sealed = encrypt(secrets, 'cursor', 'value');
    const [id, text = ''] = sealed.split('.');
    const bytes = Buffer.from(text, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(decrypt(secrets, 'cursor', `${id}.${changed.toString('base64url')}`)).toBeUndefined();
    }
  });

  test('is only the text that was written, not another spelling of it', () => {
    const sealed = encrypt(secrets, 'cursor', 'value');
    for (const spelling of [`${sealed}=`, `${sealed}\n`, ` ${sealed}`, `${sealed}*`, sealed.slice(0, -1)]) {
      expect(decrypt(secrets, 'cursor', spelling)).toBeUndefined();
    }
  });

  test('is none of what somebody makes up', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => decrypt(secrets, 'cursor', text) === undefined),
    );
  });
});

describe('a rotation of the secret', () => {
  test('leaves what was sealed before open until the next one', () => {
    const sealed = encrypt(secrets, 'cursor', 'value');
    const after = rotated(secrets);
    expect(decrypt(after, 'cursor', sealed)).toBe('value');
    expect(encrypt(after, 'cursor', 'value')).toMatch(/^2\./);
    expect(decrypt(after, 'cursor', encrypt(after, 'cursor', 'value'))).toBe('value');
    expect(decrypt(rotated(after), 'cursor', sealed)).toBeUndefined();
  });

  test.each([9, 10, 11, 99, 100])('number %i leaves text sealed before and after it open', (rotations) => {
    const live = teamSecrets(rotations);
    expect(decrypt(live, 'cursor', encrypt(live, 'cursor', 'value'))).toBe('value');
    expect(decrypt(rotated(live), 'cursor', encrypt(live, 'cursor', 'value'))).toBe('value');
  });

  test('leaves what was sealed before there were versions open until the second one', () => {
    const withoutVersion = sealedWithoutVersion(secrets[0].secret, 'cursor', 'value');
    const after = rotated(secrets);
    const opened = [secrets, after, rotated(after)].map((live) => decrypt(live, 'cursor', withoutVersion));
    expect(opened).toEqual(['value', 'value', undefined]);
  });

  test('binds the text to its version: under another id, or none, it does not open', () => {
    const after = rotated(secrets);
    const [, encoded] = encrypt(after, 'cursor', 'value').split('.');
    for (const id of ['', '0.', '1.', '02.', '2', '3.', '2.2.', '-2.', '2e0.', '9999999999.']) {
      expect(decrypt(after, 'cursor', `${id}${encoded}`)).toBeUndefined();
    }
  });

  test('changes codes, and lets the one before count until the next', () => {
    const code = codeFor(secrets, 'default', 'value');
    const after = rotated(secrets);
    expect(codeFor(after, 'default', 'value')).not.toBe(code);
    const counts = [secrets, after, rotated(after)].map((live) => isCodeFor(live, 'default', 'value', code));
    expect(counts).toEqual([true, true, false]);
  });
});

/** The format of sealed text before secrets had versions: other sites still embed such URLs. */
function sealedWithoutVersion(secret: string, purpose: string, value: string): string {
  const nonce = randomBytes(12);
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', purpose, 32));
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const bytes = [nonce, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(bytes).toString('base64url');
}
