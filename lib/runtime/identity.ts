import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { identityProof, identityProofEnd, type ProofSubject, proofLifetime } from '../auth/identity-proof.ts';
import { isLocked } from '../domain/identity-attempts.ts';
import { factsOnFile } from '../domain/identity-facts.ts';
import { journeyPath } from '../domain/journey.ts';
import { secretsOf } from '../domain/team.ts';
import { seeOther } from '../http/reply.ts';
import type { OpenJourney } from '../operations/journeys/show.ts';
import { environment, now } from './base.ts';

const subjectOf = ({ team, contact, journey }: OpenJourney): ProofSubject => ({
  teamId: team.team_id,
  contactId: contact.id,
  slug: journey.slug,
  facts: factsOnFile(contact),
});

const cookieName = 'identity';

/** True if the browser has a valid identity proof for the journey's contact, and the contact is not locked. */
export const isProved = (view: OpenJourney, event: APIGatewayProxyEventV2): boolean =>
  proofLeft(view, event) !== undefined;

/** Milliseconds until the proof of the browser ends. Undefined if it has no valid one. */
export function proofLeft(view: OpenJourney, { cookies = [] }: APIGatewayProxyEventV2): number | undefined {
  if (isLocked(view.attempts)) return undefined;
  const at = now();
  const ends = cookies
    .filter((cookie) => cookie.startsWith(`${cookieName}=`))
    .map((cookie) => cookie.slice(cookieName.length + 1))
    .map((proof) => identityProofEnd(secretsOf(view.team), subjectOf(view), proof, at) ?? at);
  const left = ends.reduce((last, end) => Math.max(last, end), at) - at;
  return left > 0 ? left : undefined;
}

/** Cookies that set and delete the proof, only for this journey, and not readable by scripts. */
export const proof = (view: OpenJourney): string =>
  cookieOf(view, identityProof(secretsOf(view.team), subjectOf(view), now()), proofLifetime / 1000);
export const noProof = (view: OpenJourney): string => cookieOf(view, '', 0);

function cookieOf({ journey }: OpenJourney, value: string, seconds: number): string {
  const secure = environment().ISSUER.startsWith('https:') ? '; Secure' : '';
  return `${cookieName}=${value}; Path=${journeyPath(journey.slug)}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/**
 * Redirects to the requested page, otherwise to the journey's first open page. The location is a path, so it works with
 * any host name of the service.
 */
export function backTo({ journey, asked }: OpenJourney, cookie?: string) {
  const location = `${journeyPath(journey.slug)}${asked ? `?page=${asked.page.id}` : ''}`;
  return seeOther(location, cookie === undefined ? {} : { 'set-cookie': cookie });
}
