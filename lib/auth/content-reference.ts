import * as z from 'zod';
import type { TeamSecrets } from '../domain/teams/team.ts';
import { isUuid, uuid } from '../domain/values/uuid.ts';
import { codeFor, decrypt, encrypt, isCodeFor } from './encryption.ts';

/**
 * What a content URL, `/c/<channel>/<reference>`, shows. The reference consists of the team id and this location,
 * encrypted with the team's secret. It reveals nothing about the contact, and cannot be made or changed without the
 * secret.
 */
export type ContentLocation = { channelId: string; contactId: string; journeyId: string; containerId: string };

/** What a content URL shows: content for a contact, or the default content of the channel. */
export type OpenedReference = ContentLocation | 'default';

const purpose = 'channel content';
const defaultPurpose = 'channel default';

const encryptedLocation = z.tuple([uuid(), uuid(), uuid(), uuid()]);

export function contentReference(teamId: string, secrets: TeamSecrets, location: ContentLocation): string {
  const { channelId, contactId, journeyId, containerId } = location;
  const value = JSON.stringify([channelId, contactId, journeyId, containerId]);
  return `${encoded(teamId)}.${encrypt(secrets, purpose, value)}`;
}

/** The reference of a channel's default content. It stays the same until the secret is rotated. */
export const defaultReference = (teamId: string, secrets: TeamSecrets, channelId: string): string =>
  `${encoded(teamId)}.${codeFor(secrets, defaultPurpose, channelId)}`;

/** The team whose secret opens the reference, or `undefined` if the reference names no team. */
export function teamOfReference(reference: string): string | undefined {
  const team = reference.split('.')[0]!;
  const teamId = Buffer.from(team, 'base64url').toString('utf8');
  return encoded(teamId) === team && isUuid(teamId) ? teamId : undefined;
}

/** What the channel shows for this reference, or `undefined` if it was not made for this team and channel. */
export function openReference(
  teamId: string,
  secrets: TeamSecrets,
  channelId: string,
  reference: string,
): OpenedReference | undefined {
  const prefix = `${encoded(teamId)}.`;
  if (!reference.startsWith(prefix)) return undefined;
  const encrypted = reference.slice(prefix.length);
  if (isCodeFor(secrets, defaultPurpose, channelId, encrypted)) return 'default';
  const value = decrypt(secrets, purpose, encrypted);
  if (value === undefined) return undefined;
  const [channel, contactId, journeyId, containerId] = encryptedLocation.parse(JSON.parse(value));
  return channel === channelId ? { channelId, contactId, journeyId, containerId } : undefined;
}

const encoded = (teamId: string): string => Buffer.from(teamId).toString('base64url');
