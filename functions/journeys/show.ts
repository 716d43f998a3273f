import { journeyUrl } from '../../lib/domain/journey.ts';
import { showJourney } from '../../lib/http/contracts/pages.ts';
import { pageReply } from '../../lib/http/reply.ts';
import { askIdentity } from '../../lib/operations/journeys/identity.ts';
import { journeyKeyOfSlug, openJourney, showJourney as show } from '../../lib/operations/journeys/show.ts';
import { environment } from '../../lib/runtime/base.ts';
import { journeyDependencies } from '../../lib/runtime/content.ts';
import { identityReply, isProved } from '../../lib/runtime/identity.ts';
import { noticeReply, pageEndpoint } from '../../lib/runtime/pages.ts';
import { endingName, renderEnding } from '../../lib/web/journey/ending.ts';
import { renderJourneyPage } from '../../lib/web/journey/page.ts';

export const handler = pageEndpoint(showJourney, async ({ params, query, event }) => {
  const slug = params.slug ?? '';
  const asked = query.page === endingName ? undefined : query.page;
  const dependencies = journeyDependencies();
  const key = await journeyKeyOfSlug(dependencies.database, slug);
  const view = await openJourney(dependencies, key, asked, event.headers['accept-language']);
  if (view.closed) return noticeReply(view.closed, view.language, view);
  const { team, contact, identityNeed } = view;
  const isIdentityValidated = identityNeed !== undefined && isProved(view, event);
  if (identityNeed === 'journey' && !isIdentityValidated) {
    return identityReply(view, await askIdentity(dependencies, team.team_id, contact), 200);
  }
  const url = journeyUrl(environment().ISSUER, slug);
  const { account, answers } = await show(dependencies, view, isIdentityValidated);
  const isEnding =
    view.analytics.is_completed && asked === undefined && (query.page !== undefined || view.published.length > 1);
  const page = (isEnding ? renderEnding : renderJourneyPage)({
    ...view,
    account,
    answers,
    journeyUrl: url,
    isIdentityValidated,
  });
  return pageReply(200, page, { vary: 'cookie' });
});
