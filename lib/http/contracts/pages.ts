import * as z from 'zod';
import { contract } from '../contract.ts';

const tag = 'Journeys';

const headers = {
  'content-security-policy': 'Allows what the page brings itself, by hash, and nothing else',
  'cache-control': 'The page is private: `no-store`',
};

export const showJourney = contract({
  id: 'show-journey',
  tag,
  summary: 'The journey, for the person whose it is',
  description:
    'The page behind `web_client_url`. Whoever knows the slug sees it. Shows the first page that is not completed, or ' +
    'the one that `page` names. Seeing it counts as a view only when the page itself reports that. `meta_private`, and ' +
    'all of a campaign with `is_auth_required`, is shown only to a browser with the cookie of ' +
    '`POST /j/{slug}/identity`; before that the page asks what its contact knows.',
  query: z.object({
    page: z.string().optional().meta({ description: 'Id of the page to show', format: 'uuid' }),
  }),
  responses: {
    200: { description: 'The page, or the questions that come before it', mediaType: 'text/html', headers },
    404: { description: 'There is no such journey or page, or it is not open at the moment', mediaType: 'text/html' },
    410: { description: 'The campaign is archived, or the time for the journey has passed', mediaType: 'text/html' },
    500: { description: 'The fault is ours', mediaType: 'text/html' },
    503: { description: 'The service is briefly unavailable', mediaType: 'text/html' },
  },
});

/** The fields of the form; those that were not asked for are let be. */
const typed = (description: string) => z.string().optional().meta({ description });
export const identityForm = z
  .looseObject({
    page: typed('The page to go back to'),
    forget: typed('With any value: takes the proof back, whatever else is sent'),
    birth_month: typed('Date of birth: month, as a number'),
    birth_day: typed('Date of birth: day'),
    birth_year: typed('Date of birth: year, four digits'),
    phone: typed('The last four digits of the telephone number, or all of them'),
    post_code: typed('Post code'),
  })
  .meta({ id: 'IdentityForm', description: 'What a person answers to prove to be the contact' });

export const askIdentity = contract({
  id: 'ask-identity',
  tag,
  ofOwnPages: true,
  summary: 'The questions by which a person proves to be the contact of a journey',
  description:
    'Two facts that are on file, or why none are asked now. Leads to the journey page where it has nothing to show for it.',
  query: z.object({
    page: z.string().optional().meta({ description: 'Id of the page that it is about', format: 'uuid' }),
  }),
  responses: {
    200: { description: 'The questions', mediaType: 'text/html', headers },
    303: { description: 'There is nothing to prove', headers: { location: 'The journey page' } },
    404: { description: 'There is no such journey or page, or it is not open at the moment', mediaType: 'text/html' },
    410: { description: 'The campaign is archived, or the time for the journey has passed', mediaType: 'text/html' },
    500: { description: 'The fault is ours', mediaType: 'text/html' },
    503: { description: 'The service is briefly unavailable', mediaType: 'text/html' },
  },
});

export const checkIdentity = contract({
  id: 'check-identity',
  tag,
  ofOwnPages: true,
  summary: 'Prove to be the contact of a journey',
  description:
    'The form of the journey page. The answers are held against two facts that are on file; what is asked depends on ' +
    'what there is. Right answers give the browser a sealed cookie, good for this journey for 30 minutes. Attempts are ' +
    'counted for each contact, over all journeys, until one is right: after the fifth none is taken for 15 minutes, ' +
    'after the eighth for a day, after the tenth until an administrator allows it. A form from another site is refused.',
  ownBody: { mediaTypes: ['application/x-www-form-urlencoded'], schema: identityForm },
  responses: {
    303: {
      description: 'Proved, or taken back, or nothing to prove',
      headers: { location: 'The journey page', 'set-cookie': 'The proof, or none any more' },
    },
    403: { description: 'The form came from another site', mediaType: 'text/html' },
    404: { description: 'There is no such journey or page, or it is not open at the moment', mediaType: 'text/html' },
    410: { description: 'The campaign is archived, or the time for the journey has passed', mediaType: 'text/html' },
    422: {
      description:
        'The answers are not what is on file (which of them is not said), or are none; or too little is on file',
      mediaType: 'text/html',
    },
    429: {
      description: 'No attempt is taken now',
      mediaType: 'text/html',
      headers: { 'retry-after': 'Seconds to wait; absent where only an administrator can help' },
    },
    500: { description: 'The fault is ours', mediaType: 'text/html' },
    503: { description: 'The service is briefly unavailable', mediaType: 'text/html' },
  },
  problems: ['unsupported_media_type'],
});

export const recordView = contract({
  id: 'record-view',
  tag,
  ofOwnPages: true,
  summary: 'Record that a page of a journey was seen, by an image',
  description:
    'For the journey page in a browser without scripts. Counts only what a browser loads as an image of the page ' +
    '(`Sec-Fetch-Dest`, `Sec-Fetch-Site`), so that following the address, as link scanners do, records nothing.',
  responses: {
    200: { description: 'One transparent pixel', mediaType: 'image/gif' },
  },
  problems: ['identity_required', 'gone'],
});
