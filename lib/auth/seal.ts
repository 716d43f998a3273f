import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Sealed text: nobody outside can read it, make it or change it. AES-256-GCM with a key derived (HKDF-SHA-256) from a
 * team's secret for each purpose, so that what is sealed for one purpose does not open for another.
 */
const nonceBytes = 12;
const tagBytes = 16;

/** The value sealed, in base64url; each time another text, for the nonce is random. */
export function seal(secret: string, purpose: string, value: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyFor(secret, purpose), nonce);
  return Buffer.concat([nonce, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
}

/** The value, or `undefined` when the text was not sealed with this secret for this purpose. */
export function open(secret: string, purpose: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  // Decoding passes over characters that do not belong; only the one text that `seal` wrote is taken.
  if (bytes.length < nonceBytes + tagBytes || bytes.toString('base64url') !== sealed) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', keyFor(secret, purpose), bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}

const keyFor = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', purpose, 32));
