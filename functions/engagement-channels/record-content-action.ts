import * as z from 'zod';
import { contentPath } from '../../lib/domain/journeys/channel-content.ts';
import { Problem } from '../../lib/domain/values/problem.ts';
import { contract } from '../../lib/http/contract.ts';
import { actionFields, actionProblems, actionTypes, sentAction } from '../../lib/http/form.ts';
import { formErrors } from '../../lib/http/pages/forms.ts';
import { idParam } from '../../lib/http/params.ts';
import { noContent, seeOther } from '../../lib/http/reply.ts';
import { isFromOtherSite, isVisit } from '../../lib/http/same-site.ts';
import { openContent, recordContentAction as record } from '../../lib/operations/journeys/show-channel-content.ts';
import { environment, publicEndpoint } from '../../lib/runtime/base.ts';
import { channelPageService, journeyService } from '../../lib/runtime/content.ts';

/** The reference determines the page. Other fields of the form are ignored. */
export const contentAction = z
  .looseObject(actionFields())
  .meta({ id: 'ContentAction', description: 'An action on the page whose content is shown' });

const recordContentAction = contract<typeof responses>()({
  id: 'record-content-action',
  ofOwnPages: true,
  tag: 'Engagement channels',
  summary: 'Record an action on content in a frame',
  description:
    'Called by the content itself. Actions count on the journey as those of the journey page do: each type once for ' +
    'each page. Only a page with the condition `view`, `confirm` or `action` can be completed here. A page that needs ' +
    'a proof of identity cannot, because a person cannot give one in a frame.',
  ownBody: { mediaTypes: actionTypes, schema: contentAction },
  hasErrorPages: true,
  problems: actionProblems,
});

const responses = () => ({
  204: { description: 'The action was recorded. Sent if the request is JSON' },
  303: {
    description:
      'Sent if the request is a form. The action was recorded, unless the content no longer exists, which the page then says',
    headers: { location: 'URL of the content' },
  },
});

export const contracts = () => [{ ...recordContentAction, responses: responses() }];

export const handler = publicEndpoint(
  recordContentAction,
  async ({ params, event }) => {
    if (isFromOtherSite(event, environment().ISSUER)) throw new Problem('forbidden');
    const service = journeyService();
    const channelId = idParam(params, 'channel_id');
    const reference = params.reference ?? '';
    const content = await openContent(service, channelId, reference);
    const { isForm, body } = sentAction(event, contentAction);
    const recorded = isVisit(event)
      ? record(service, content, body, event.headers['accept-language'])
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
  formErrors(channelPageService, () => import('../../lib/http/pages/channel-form.ts')),
);
