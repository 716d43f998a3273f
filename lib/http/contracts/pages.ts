import * as z from 'zod';
import { contract } from '../contract.ts';
import type * as responses from '../responses/pages.ts';

const tag = 'Journeys';

export const showJourney = contract<typeof responses.showJourney>()({
  id: 'show-journey',
  tag,
  summary: 'Show a journey to its contact',
  description:
    'The page behind `web_client_url`. Anyone who knows the slug can open it. It shows the first page that is not ' +
    'completed, or the page that `page` names, or the one that follows `after`. A request alone is not a view: the page reports its ' +
    'view when it has been visible for two seconds, or at the first press or key. ' +
    '`meta_private`, and all pages of a template with `is_auth_required`, are shown only to a browser with the cookie ' +
    'of `POST /j/{slug}/identity`. Without the cookie the page asks the person to prove their identity.',
  query: z.object({
    page: z.string().optional().describe('Id of the page to show; `ending` for the ending of a completed journey'),
    after: z
      .string()
      .optional()
      .describe(
        'Id of a page that the person has answered: shows what comes next, with a link back. If something is still to ' +
          'be done on this page, shows the page itself',
      ),
  }),
});

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

export const askIdentity = contract<typeof responses.askIdentity>()({
  id: 'ask-identity',
  tag,
  ofOwnPages: true,
  summary: 'Show the questions that prove the identity',
  description:
    'Asks for two facts that are on file, or says why it cannot ask now. Redirects to the journey page if there is ' +
    'nothing to prove.',
  query: z.object({
    page: z.string().optional().meta({ description: 'Id of the page that asks for the proof', format: 'uuid' }),
  }),
});

export const checkIdentity = contract<typeof responses.checkIdentity>()({
  id: 'check-identity',
  tag,
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

export const recordView = contract<typeof responses.recordView>()({
  id: 'record-view',
  tag,
  ofOwnPages: true,
  summary: 'Record a view of a page of a journey, by an image',
  description:
    'For the journey page in a browser without scripts. Counts only if a browser loads it as an image of the page ' +
    '(`Sec-Fetch-Dest`, `Sec-Fetch-Site`), so a link scanner that follows the URL records nothing. `HEAD`, and requests ' +
    'with `Sec-Purpose` or `Purpose`, record nothing.',
  problems: ['identity_required', 'gone'],
});
