import { identityProof, identityProofEnd, type ProofSubject, proofLifetime } from '../../auth/identity-proof.ts';
import { factsOnFile } from '../../domain/contacts/identity-facts.ts';
import { isLocked } from '../../domain/journeys/identity-attempts.ts';
import { journeyPath } from '../../domain/journeys/journey.ts';
import { secretsOf } from '../../domain/teams/team.ts';
import type { OpenJourney } from '../../operations/journeys/show.ts';
import type { JourneyService } from '../../operations/service.ts';
import { seeOther } from '../reply.ts';
import type { Event } from '../request.ts';

type ProofService = Pick<JourneyService, 'now' | 'baseUrl'>;

const subjectOf = ({ team, contact, journey }: OpenJourney): ProofSubject => ({
  teamId: team.team_id,
  contactId: contact.id,
  slug: journey.slug,
  facts: factsOnFile(contact),
});

const cookieName = 'identity';

/** True if the browser has a valid identity proof for the journey's contact, and the contact is not locked. */
export const isProved = (service: ProofService, view: OpenJourney, event: Event): boolean =>
  proofLeft(service, view, event) !== undefined;

/** Milliseconds until the proof of the browser ends. Undefined if it has no valid one. */
export function proofLeft({ now }: ProofService, view: OpenJourney, { cookies = [] }: Event): number | undefined {
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
export const proof = (service: ProofService, view: OpenJourney): string => {
  const value = identityProof(secretsOf(view.team), subjectOf(view), service.now());
  return cookieOf(service, view, value, proofLifetime / 1000);
};
export const noProof = (service: ProofService, view: OpenJourney): string => cookieOf(service, view, '', 0);

function cookieOf({ baseUrl }: ProofService, { journey }: OpenJourney, value: string, seconds: number): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
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
