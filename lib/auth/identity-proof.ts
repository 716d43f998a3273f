import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { TeamSecrets } from '../domain/teams/team.ts';
import { decrypt, encrypt } from './encryption.ts';

/**
 * What an identity proof is for. A browser keeps the proof in a cookie after its user has proved to be the contact of a
 * journey. It is encrypted with the team's secret, so it cannot be forged. It is valid for one journey and expires.
 */
export type ProofSubject = {
  teamId: string;
  contactId: string;
  /** A new slug ends the proof. */
  slug: string;
  /**
   * The stored values of all facts that may be asked. If they change, the proof ends. The cookie holds only a digest.
   */
  facts: string;
};

const purpose = 'identity proof';

/** Milliseconds that a proof is valid. */
export const proofLifetime = 30 * 60_000;

const encryptedProof = z.tuple([z.string(), z.string(), z.string(), z.number(), z.string()]);

/** @param now milliseconds since the epoch */
export function identityProof(secrets: TeamSecrets, { facts, ...subject }: ProofSubject, now: number): string {
  const { teamId, contactId, slug } = subject;
  const known = digestOf(facts).toString('base64url');
  return encrypt(secrets, purpose, JSON.stringify([teamId, contactId, slug, now + proofLifetime, known]));
}

/** When the proof ends, in milliseconds since the epoch. Undefined if it is none for this journey and contact at `now`. */
export function identityProofEnd(
  secrets: TeamSecrets,
  subject: ProofSubject,
  proof: string,
  now: number,
): number | undefined {
  const value = decrypt(secrets, purpose, proof);
  if (value === undefined) return undefined;
  const parsed = encryptedProof.safeParse(JSON.parse(value));
  if (!parsed.success) return undefined;
  const [teamId, contactId, slug, until, known] = parsed.data;
  const isOfSubject = teamId === subject.teamId && contactId === subject.contactId && slug === subject.slug;
  return isOfSubject && known === digestOf(subject.facts).toString('base64url') && now < until ? until : undefined;
}

/** Compares digests, so the time reveals neither where the texts differ nor how long they are. */
export const isSameText = (a: string, b: string): boolean => timingSafeEqual(digestOf(a), digestOf(b));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
