import { journeyUrl } from '../../domain/journeys/journey.ts';
import { askIdentity } from '../../operations/journeys/identity.ts';
import { type OpenJourney, showJourney } from '../../operations/journeys/show.ts';
import type { JourneyService } from '../../operations/service.ts';
import type { RefusedForm } from '../../web/blocks/context.ts';
import { endingName } from '../../web/journey/input.ts';
import { pageReply } from '../reply.ts';
import type { Event } from '../request.ts';
import { identityReply } from './identity.ts';
import { proofLeft } from './identity-cookie.ts';

/** The page of the journey, or the questions that prove the identity, if nothing may be shown without. */
export async function journeyReply<Status extends number>(
  service: JourneyService,
  view: OpenJourney,
  event: Event,
  status: Status,
  { page, refused }: { page?: string | undefined; refused?: RefusedForm } = {},
) {
  const { team, contact, journey, identityNeed, analytics, asked, published, answered } = view;
  const left = proofLeft(service, view, event);
  const isProved = left !== undefined;
  if (identityNeed === 'journey' && !isProved) {
    return identityReply(service, view, await askIdentity(service, team.team_id, contact), status);
  }
  const isAfter = page !== undefined || answered !== undefined || published.length > 1;
  const isEnding = analytics.is_completed && asked === undefined && isAfter;
  const [{ account, answers, proofUse }, render] = await Promise.all([
    showJourney(service, view, isProved, isEnding),
    // With the parsers of style sheets, it is a quarter of the code. Notices and accepted actions do not need it.
    isEnding
      ? import('../../web/journey/ending.ts').then(({ renderEnding }) => renderEnding)
      : import('../../web/journey/page.ts').then(({ renderJourneyPage }) => renderJourneyPage),
  ]);
  const shown = render({
    ...{ ...view, account, answers, refused, identityNeed: proofUse, proofLeft: left },
    isIdentityValidated: isProved && proofUse !== undefined,
    journeyUrl: journeyUrl(service.baseUrl, journey.slug),
  });
  return pageReply(status, shown, { vary: 'cookie' });
}

/** The id of the page that a request names. The ending is not one of the pages. */
export const pageIdOf = (page: string | undefined) => (page === endingName ? undefined : page);
