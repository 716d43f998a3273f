import * as z from 'zod';
import type { TeamSecrets } from '../domain/team.ts';
import { isUuid, uuid } from '../domain/uuid.ts';
import { codeFor, isCodeFor, open, seal } from './seal.ts';

/**
 * The last part of a content address, `/c/<channel>/<reference>`: the team, and sealed with its secret what is to be
 * shown there. It tells nobody anything of the contact, and nobody can make one or turn one into another.
 */
export type ContentLocation = { channelId: string; contactId: string; journeyId: string; containerId: string };

/** What an address shows: content that was found for a contact, or the channel's default. */
export type OpenedReference = ContentLocation | 'default';

const purpose = 'channel content';
const defaultPurpose = 'channel default';

const sealedPlace = z.tuple([uuid(), uuid(), uuid(), uuid()]);

export function contentReference(teamId: string, secrets: TeamSecrets, place: ContentLocation): string {
  const { channelId, contactId, journeyId, containerId } = place;
  const value = JSON.stringify([channelId, contactId, journeyId, containerId]);
  return `${encoded(teamId)}.${seal(secrets, purpose, value)}`;
}

/** The same for whoever asks, until the secret is rotated; yet not to be made without the secret. */
export const defaultReference = (teamId: string, secrets: TeamSecrets, channelId: string): string =>
  `${encoded(teamId)}.${codeFor(secrets, defaultPurpose, channelId)}`;

/** The team whose secret opens the reference; `undefined` where there can be none. */
export function teamOfReference(reference: string): string | undefined {
  const [team = ''] = reference.split('.');
  const teamId = Buffer.from(team, 'base64url').toString('utf8');
  return encoded(teamId) === team && isUuid(teamId) ? teamId : undefined;
}

/** What the channel shows at this reference; `undefined` where it was not made for team and channel. */
export function openReference(
  teamId: string,
  secrets: TeamSecrets,
  channelId: string,
  reference: string,
): OpenedReference | undefined {
  const prefix = `${encoded(teamId)}.`;
  if (!reference.startsWith(prefix)) return undefined;
  const sealed = reference.slice(prefix.length);
  if (isCodeFor(secrets, defaultPurpose, channelId, sealed)) return 'default';
  const value = open(secrets, purpose, sealed);
  if (value === undefined) return undefined;
  const [channel, contactId, journeyId, containerId] = sealedPlace.parse(JSON.parse(value));
  return channel === channelId ? { channelId, contactId, journeyId, containerId } : undefined;
}

const encoded = (teamId: string): string => Buffer.from(teamId).toString('base64url');
