import * as z from 'zod';
import { contract, pageErrors } from '../../lib/http/contract.ts';
import { formFields } from '../../lib/http/form.ts';
import { backTo, noProof, proof } from '../../lib/http/pages/identity-cookie.ts';
import { isFromOwnPage, isVisit } from '../../lib/http/same-site.ts';
import { proveIdentity } from '../../lib/operations/journeys/identity.ts';
import { journeyKeyOfSlug, openJourney, proofUse } from '../../lib/operations/journeys/show.ts';
import { environment, publicEndpoint } from '../../lib/runtime/base.ts';
import { journeyService } from '../../lib/runtime/content.ts';

/** The fields of the form. Fields that the form did not ask for are ignored. */
const typed = (description: string) => z.string().optional().describe(description);

const identityForm = z
  .looseObject({
    page: typed('Id of the page to return to'),
    forget: typed('With any value: removes the proof and ignores the other fields'),
    birth_month: typed('Date of birth: month, as a number'),
    birth_day: typed('Date of birth: day'),
    birth_year: typed('Date of birth: year with four digits'),
    phone: typed('The last four digits of the phone number, or the whole number'),
    post_code: typed('Post code'),
  })
  .meta({ id: 'IdentityForm', description: 'The answers that prove the identity of a person' });

const checkIdentity = contract<typeof responses>()({
  id: 'check-identity',
  tag: 'Journeys',
  ofOwnPages: true,
  summary: 'Prove the identity of the contact',
  description:
    'Called by the form of the journey page. The answers are compared with two facts that are on file. If they match, ' +
    'the browser gets an encrypted cookie, which is valid for this journey for 30 minutes. Wrong attempts are counted ' +
    'for each contact, over all journeys: no attempt is accepted for 15 minutes after the fifth, for a day after the ' +
    'eighth, and after the tenth until an administrator allows more. A correct answer resets the count. A form from ' +
    'another site is rejected.',
  ownBody: { mediaTypes: ['application/x-www-form-urlencoded'], schema: identityForm },
  hasErrorPages: true,
  problems: ['unsupported_media_type'],
});

const responses = () =>
  ({
    303: {
      description: 'The identity is proved, the proof was removed, or there was nothing to prove',
      headers: { location: 'URL of the journey page', 'set-cookie': 'The proof, or its removal' },
    },
    ...pageErrors,
    403: { description: 'The form came from another site', mediaType: 'text/html' },
    422: {
      description:
        'The answers do not match what is on file (the page does not say which one), answers are missing, or too little is on file',
      mediaType: 'text/html',
    },
    429: {
      description: 'No attempt is accepted at the moment',
      mediaType: 'text/html',
      headers: { 'retry-after': 'Seconds to wait. Absent if only an administrator can allow more attempts' },
    },
  }) as const;

export const contracts = () => [{ ...checkIdentity, responses: responses() }];

/** The code that renders notices and errors. Accepted answers do not need it. */
const pages = () => import('../../lib/http/pages/notices.ts');

export const handler = publicEndpoint(
  checkIdentity,
  async ({ params, event }) => {
    if (!isFromOwnPage(event, environment().ISSUER) || !isVisit(event))
      return (await pages()).noticeToBrowser('foreign', event);
    const service = journeyService();
    const key = await journeyKeyOfSlug(service.database, params.slug ?? '');
    const fields = formFields(event);
    const view = await openJourney(service, key, { page: fields.page }, event.headers['accept-language']);
    if (view.closed) return (await pages()).noticeReply(view.closed, view.language, view);
    if (fields.forget !== undefined || !(await proofUse(service.database, view)))
      return backTo(view, noProof(service, view));
    const outcome = await proveIdentity(service, view.team.team_id, view.contact, fields);
    if (outcome.result === 'proved') return backTo(view, proof(service, view));
    const { identityReply } = await import('../../lib/http/pages/identity.ts');
    return identityReply(service, view, outcome, outcome.lock ? 429 : 422, fields);
  },
  async (...error) => (await pages()).errorPage()(...error),
);
