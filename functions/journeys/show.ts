import { journeyUrl } from '../../lib/domain/journey.ts';
import { showJourney } from '../../lib/http/contracts/pages.ts';
import { showJourney as show } from '../../lib/operations/journeys/show.ts';
import { environment } from '../../lib/runtime/base.ts';
import { htmlReply, pageEndpoint } from '../../lib/runtime/pages.ts';
import { progress } from '../../lib/runtime/table.ts';
import { renderJourneyPage } from '../../lib/web/journey/page.ts';
import { renderNotice } from '../../lib/web/notice.ts';

export const handler = pageEndpoint(showJourney, async ({ params, query }) => {
  const slug = params.slug ?? '';
  const view = await show(progress(), slug, query.page);
  if (view.closed) {
    const notice = renderNotice(view.closed);
    return htmlReply(notice, notice.status);
  }
  const address = journeyUrl(environment().ISSUER, slug);
  return htmlReply(renderJourneyPage({ ...view, journeyUrl: address, isIdentityValidated: false }));
});
