import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { TeamSecret, TeamSecrets } from '../domain/teams/team.ts';

/**
 * Encrypted text cannot be read, made or changed without the team's secret. The cipher is AES-256-GCM. The key is
 * derived (HKDF-SHA-256) from the secret for each purpose, so text that is encrypted for one purpose cannot be decrypted
 * for another. The text begins with the version of the secret, `<id>.<encrypted>`. Text without an id was encrypted with
 * the first secret, before secrets had versions.
 */

const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts the value with the current secret. The nonce is random, so each call returns another text. */
export function encrypt([current]: TeamSecrets, purpose: string, value: string): string {
  const nonce = randomBytes(nonceBytes);
  const prefix = prefixOf(current.id);
  const cipher = createCipheriv('aes-256-gcm', keyFor(current, purpose), nonce).setAAD(Buffer.from(prefix));
  const bytes = Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
  return prefix + bytes.toString('base64url');
}

/** Returns the value, or `undefined` if the text was not encrypted with one of these secrets for this purpose. */
export function decrypt(secrets: TeamSecrets, purpose: string, text: string): string | undefined {
  const { prefix, encoded, secret } = partsOf(secrets, text);
  const bytes = Buffer.from(encoded, 'base64url');
  // Decoding ignores characters outside base64url, but only the exact text that `encrypt` wrote is accepted.
  if (bytes.length < nonceBytes + tagBytes || bytes.toString('base64url') !== encoded) return undefined;
  const options = { authTagLength: tagBytes };
  const decipher = createDecipheriv('aes-256-gcm', keyFor(secret, purpose), bytes.subarray(0, nonceBytes), options);
  decipher.setAAD(Buffer.from(prefix)).setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

/** A message authentication code of the value. It stays the same until the secret is rotated. */
export function codeFor([current]: TeamSecrets, purpose: string, value: string): string {
  const prefix = prefixOf(current.id);
  return prefix + hmac(current, purpose, prefix, value).toString('base64url');
}

/** True if the text is the code of the value under one of these secrets. */
export function isCodeFor(secrets: TeamSecrets, purpose: string, value: string, text: string): boolean {
  const { prefix, encoded, secret } = partsOf(secrets, text);
  const expected = hmac(secret, purpose, prefix, value);
  const given = Buffer.from(encoded, 'base64url');
  return (
    given.length === expected.length && timingSafeEqual(given, expected) && given.toString('base64url') === encoded
  );
}

/**
 * The secret to try. For an id that is not live, this is the current secret. It cannot decrypt the text, because the id is
 * authenticated too. Every text therefore costs one decryption.
 */
function partsOf(secrets: TeamSecrets, text: string): { prefix: string; encoded: string; secret: TeamSecret } {
  const prefix = /^[1-9]\d{0,8}\./.exec(text)?.[0] ?? '';
  const id = prefix === '' ? firstId : Number.parseInt(prefix, 10);
  const secret = secrets.find((each) => each.id === id) ?? secrets[0];
  return { prefix, encoded: text.slice(prefix.length), secret };
}

const firstId = 1;
const prefixOf = (id: number): string => `${id}.`;

const keyFor = ({ secret }: TeamSecret, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', purpose, 32));

const hmac = (secret: TeamSecret, purpose: string, prefix: string, value: string): Buffer =>
  createHmac('sha256', keyFor(secret, purpose)).update(`${prefix}${value}`).digest();
