import type { Answers } from '../../domain/contacts/identity-facts.ts';
import { journeyUrl } from '../../domain/journeys/journey.ts';
import type { IdentityQuestion, IdentityRefusal } from '../../operations/journeys/identity.ts';
import type { OpenJourney } from '../../operations/journeys/show.ts';
import { renderIdentityPage } from '../../web/journey/identity.ts';
import { pageReply } from '../reply.ts';

/** The page with the questions that prove the identity. */
export function identityReply<Status extends number>(
  { baseUrl }: { baseUrl: string },
  view: OpenJourney,
  question: IdentityQuestion | IdentityRefusal,
  status: Status,
  typed: Answers = {},
) {
  const { team, language, template, journey, asked, shown, identityNeed } = view;
  const isOptional = identityNeed !== 'journey';
  const pageId = (isOptional ? shown : asked)?.page.id;
  const page = renderIdentityPage({
    ...{ ...question, typed, language, teamName: team.name, teamWords: team.words, template },
    ...{ slug: journey.slug, journeyUrl: journeyUrl(baseUrl, journey.slug), pageId, isOptional },
  });
  const wait = status === 429 ? question.lock?.wait : undefined;
  const retry = wait ? { 'retry-after': String(Math.ceil(wait / 1000)) } : {};
  return pageReply(status, page, { vary: 'cookie', ...retry });
}
