import { createHmac } from 'node:crypto';
import { normalizedAddress } from '../domain/suppression/address.ts';

/** What the secret makes of a fixed text: another secret makes another mark. It tells nothing about the secret. */
export const markOf = (secret: string): string =>
  createHmac('sha256', Buffer.from(secret, 'base64url')).update('list of addresses').digest('hex');

/**
 * The keyed hash under which an address is listed for a team: HMAC-SHA-256 as hexadecimal. Without the secret of the
 * stack nobody can tell whose address it is. Equal spellings have equal hashes, and teams have different ones.
 * @param secret 32 random bytes in base64url
 * @returns `undefined` if the text is no address
 */
export function addressHash(secret: string, teamId: string, email: string): string | undefined {
  const address = normalizedAddress(email);
  if (address === undefined) return undefined;
  return createHmac('sha256', Buffer.from(secret, 'base64url')).update(`address\n${teamId}\n${address}`).digest('hex');
}
