import { contentPath } from '../../lib/domain/journeys/channel-content.ts';
import { Problem } from '../../lib/domain/values/problem.ts';
import { contentAction, recordContentAction } from '../../lib/http/contracts/page-actions.ts';
import { sentAction } from '../../lib/http/form.ts';
import { formErrors } from '../../lib/http/pages/forms.ts';
import { idParam } from '../../lib/http/params.ts';
import { noContent, seeOther } from '../../lib/http/reply.ts';
import { isFromOtherSite, isVisit } from '../../lib/http/same-site.ts';
import { openContent, recordContentAction as record } from '../../lib/operations/journeys/show-channel-content.ts';
import { environment, publicEndpoint } from '../../lib/runtime/base.ts';
import { channelPageDependencies, journeyDependencies } from '../../lib/runtime/content.ts';

export const handler = publicEndpoint(
  recordContentAction,
  async ({ params, event }) => {
    if (isFromOtherSite(event, environment().ISSUER)) throw new Problem('forbidden');
    const dependencies = journeyDependencies();
    const channelId = idParam(params, 'channel_id');
    const reference = params.reference ?? '';
    const content = await openContent(dependencies, channelId, reference);
    const { isForm, body } = sentAction(event, contentAction);
    const recorded = isVisit(event)
      ? record(dependencies, content, body, event.headers['accept-language'])
      : Promise.resolve();
    if (!isForm) {
      await recorded;
      return noContent;
    }
    // If the content no longer exists, the page in the frame says so.
    await recorded.catch((error: unknown) => {
      if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
    });
    return seeOther(contentPath(channelId, reference));
  },
  formErrors(channelPageDependencies, () => import('../../lib/http/pages/channel-form.ts')),
);
