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
    'the one that `page` names. Seeing it counts as a view only when the page itself reports that.',
  query: z.object({
    page: z.string().optional().meta({ description: 'Id of the page to show', format: 'uuid' }),
  }),
  answers: {
    200: { description: 'The page', mediaType: 'text/html', headers },
    404: { description: 'There is no such journey or page, or it is not open at the moment', mediaType: 'text/html' },
    410: { description: 'The campaign is archived, or the time for the journey has passed', mediaType: 'text/html' },
    500: { description: 'The fault is ours', mediaType: 'text/html' },
    503: { description: 'The service is briefly unavailable', mediaType: 'text/html' },
  },
});

export const recordView = contract({
  id: 'record-view',
  tag,
  summary: 'Record that a page of a journey was seen, by an image',
  description:
    'For the journey page in a browser without scripts. Counts only what a browser loads as an image of the page ' +
    '(`Sec-Fetch-Dest`, `Sec-Fetch-Site`), so that following the address, as link scanners do, records nothing.',
  answers: {
    200: { description: 'One transparent pixel', mediaType: 'image/gif' },
  },
});
