import * as z from 'zod';
import { journeyUrl } from '../../lib/domain/journeys/journey.ts';
import { Problem } from '../../lib/domain/values/problem.ts';
import { contract } from '../../lib/http/contract.ts';
import { actionFields, actionProblems, actionTypes, sentAction } from '../../lib/http/form.ts';
import { formErrors } from '../../lib/http/pages/forms.ts';
import { isProved } from '../../lib/http/pages/identity-cookie.ts';
import { noContent, seeOther } from '../../lib/http/reply.ts';
import { isFromOtherSite, isVisit } from '../../lib/http/same-site.ts';
import { recordPageAction } from '../../lib/operations/journeys/record-action.ts';
import { journeyKeyOfSlug } from '../../lib/operations/journeys/show.ts';
import { environment, publicEndpoint } from '../../lib/runtime/base.ts';
import { journeyService } from '../../lib/runtime/content.ts';

/** An action that the journey page reports. Unknown fields of a form, such as the name of its button, are ignored. */
export const pageAction = z
  .looseObject({
    ...actionFields(),
    page_id: z.string('must be a string').toLowerCase().describe('A page of the journey’s template'),
    next: z
      .unknown()
      .optional()
      .describe('For a form: with any value, the redirect leads to what follows the page, which says what was saved'),
  })
  .meta({ id: 'PageAction', description: 'An action on a page' });

export const recordAction = contract<typeof responses>()({
  id: 'record-action',
  tag: 'Journeys',
  summary: 'Record an action on a page of a journey',
  description:
    'Called by the journey page itself. Anyone who knows the slug can call it. Each type counts once for each page. A ' +
    'later view only updates `last_viewed`. Only a page with the condition `view`, `confirm` or `action` can be ' +
    'completed here, and only if the journey page would show it. If the page needs a proof of identity, the request ' +
    'needs the cookie of `POST /j/{slug}/identity`. A person has at most 50 answers to one block: a further one is a 409, ' +
    'and nothing is recorded. A request with `Sec-Purpose` or `Purpose`, which a browser sends before a visit, records ' +
    'nothing.',
  ownBody: { mediaTypes: actionTypes, schema: pageAction },
  hasErrorPages: true,
  problems: [...actionProblems, 'gone'],
});

const responses = () => ({
  204: { description: 'The action was recorded. Sent if the request is JSON' },
  303: {
    description: 'The action was recorded. Sent if the request is a form',
    headers: { location: 'URL of the journey, or of what follows the page if `next` was sent' },
  },
});

export const contracts = () => [{ ...recordAction, responses: responses() }];

export const handler = publicEndpoint(
  recordAction,
  async ({ params, event }) => {
    if (isFromOtherSite(event, environment().ISSUER)) throw new Problem('forbidden');
    const slug = params.slug ?? '';
    const service = journeyService();
    const key = await journeyKeyOfSlug(service.database, slug);
    const { isForm, body } = sentAction(event, pageAction);
    if (isVisit(event)) {
      await recordPageAction(
        service,
        key,
        body,
        (view) => isProved(service, view, event),
        event.headers['accept-language'],
      );
    }
    if (!isForm) return noContent;
    const url = journeyUrl(environment().ISSUER, slug);
    return seeOther(body.next === undefined ? url : `${url}?after=${body.page_id}`);
  },
  formErrors(journeyService, () => import('../../lib/http/pages/journey-form.ts')),
);
