import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { TeamSecrets } from '../domain/team.ts';
import { open, seal } from './seal.ts';

/**
 * What a browser keeps, in a cookie, once its person has proved to be a journey's contact: sealed with the team's
 * secret, so that nobody can make one, and good for one journey for a while.
 */
export type ProofSubject = {
  teamId: string;
  contactId: string;
  journeyId: string;
  /** All that may be asked, as it is on file: another text ends the proof. Only its digest goes into the cookie. */
  facts: string;
};

const purpose = 'identity proof';

/** Milliseconds; then the person is asked again. */
export const proofLifetime = 30 * 60_000;

const sealedProof = z.tuple([z.string(), z.string(), z.string(), z.number(), z.string()]);

/** @param now milliseconds since the epoch */
export function identityProof(secrets: TeamSecrets, { facts, ...place }: ProofSubject, now: number): string {
  const { teamId, contactId, journeyId } = place;
  const known = digestOf(facts).toString('base64url');
  return seal(secrets, purpose, JSON.stringify([teamId, contactId, journeyId, now + proofLifetime, known]));
}

/** Whether the text proves that its holder is the contact of this journey, now. */
export function isIdentityProof(secrets: TeamSecrets, place: ProofSubject, proof: string, now: number): boolean {
  const value = open(secrets, purpose, proof);
  if (value === undefined) return false;
  const parsed = sealedProof.safeParse(JSON.parse(value));
  if (!parsed.success) return false;
  const [teamId, contactId, journeyId, until, known] = parsed.data;
  const isOfPlace = teamId === place.teamId && contactId === place.contactId && journeyId === place.journeyId;
  return isOfPlace && known === digestOf(place.facts).toString('base64url') && now < until;
}

/** In a time that says nothing of where the texts differ, or of how long they are. */
export const isSameText = (a: string, b: string): boolean => timingSafeEqual(digestOf(a), digestOf(b));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
