import { journeyUrl } from '../../lib/domain/journeys/journey.ts';
import { Problem } from '../../lib/domain/values/problem.ts';
import { pageAction, recordAction } from '../../lib/http/contracts/page-actions.ts';
import { sentAction } from '../../lib/http/form.ts';
import { formErrors } from '../../lib/http/pages/forms.ts';
import { isProved } from '../../lib/http/pages/identity-cookie.ts';
import { noContent, seeOther } from '../../lib/http/reply.ts';
import { isFromOtherSite, isVisit } from '../../lib/http/same-site.ts';
import { recordPageAction } from '../../lib/operations/journeys/record-action.ts';
import { journeyKeyOfSlug } from '../../lib/operations/journeys/show.ts';
import { environment, publicEndpoint } from '../../lib/runtime/base.ts';
import { journeyDependencies } from '../../lib/runtime/content.ts';

export const handler = publicEndpoint(
  recordAction,
  async ({ params, event }) => {
    if (isFromOtherSite(event, environment().ISSUER)) throw new Problem('forbidden');
    const slug = params.slug ?? '';
    const dependencies = journeyDependencies();
    const key = await journeyKeyOfSlug(dependencies.database, slug);
    const { isForm, body } = sentAction(event, pageAction);
    if (isVisit(event)) {
      await recordPageAction(
        dependencies,
        key,
        body,
        (view) => isProved(dependencies, view, event),
        event.headers['accept-language'],
      );
    }
    if (!isForm) return noContent;
    const url = journeyUrl(environment().ISSUER, slug);
    return seeOther(body.next === undefined ? url : `${url}?after=${body.page_id}`);
  },
  formErrors(journeyDependencies, () => import('../../lib/http/pages/journey-form.ts')),
);
