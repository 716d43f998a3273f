import { checkIdentity } from '../../lib/http/contracts/pages.ts';
import { formFields } from '../../lib/http/form.ts';
import { backTo, noProof, proof } from '../../lib/http/pages/identity-cookie.ts';
import { isFromOwnPage, isVisit } from '../../lib/http/same-site.ts';
import { proveIdentity } from '../../lib/operations/journeys/identity.ts';
import { journeyKeyOfSlug, openJourney, proofUse } from '../../lib/operations/journeys/show.ts';
import { environment, publicEndpoint } from '../../lib/runtime/base.ts';
import { journeyDependencies } from '../../lib/runtime/content.ts';

/** The code that renders notices and errors. Accepted answers do not need it. */
const pages = () => import('../../lib/http/pages/notices.ts');

export const handler = publicEndpoint(
  checkIdentity,
  async ({ params, event }) => {
    if (!isFromOwnPage(event, environment().ISSUER) || !isVisit(event))
      return (await pages()).noticeToBrowser('foreign', event);
    const dependencies = journeyDependencies();
    const key = await journeyKeyOfSlug(dependencies.database, params.slug ?? '');
    const fields = formFields(event);
    const view = await openJourney(dependencies, key, { page: fields.page }, event.headers['accept-language']);
    if (view.closed) return (await pages()).noticeReply(view.closed, view.language, view);
    if (fields.forget !== undefined || !(await proofUse(dependencies.database, view)))
      return backTo(view, noProof(dependencies, view));
    const outcome = await proveIdentity(dependencies, view.team.team_id, view.contact, fields);
    if (outcome.result === 'proved') return backTo(view, proof(dependencies, view));
    const { identityReply } = await import('../../lib/http/pages/identity.ts');
    return identityReply(dependencies, view, outcome, outcome.lock ? 429 : 422, fields);
  },
  async (...error) => (await pages()).errorPage()(...error),
);
