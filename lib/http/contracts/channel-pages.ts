import * as z from 'zod';
import { pageActionTypes } from '../../domain/completion.ts';
import { sentAnswers, shownLanguage } from '../../domain/response.ts';
import { contract } from '../contract.ts';

const tag = 'Engagement channels';

export const showChannelContent = contract({
  id: 'show-channel-content',
  tag,
  summary: 'Show the content of a channel',
  description:
    'The page behind the `url` that the search returns. Show it in a frame with the size of the channel. It can contain ' +
    'fields of the contact and `meta_public`, but never `meta_private`. If the content no longer exists or is no longer ' +
    'for the contact, the page shows the default content of the channel. A request alone is not a view: the page ' +
    'reports views itself.',
  responses: {
    200: {
      description: 'The content',
      mediaType: 'text/html',
      headers: {
        'content-security-policy':
          'Allows only the styles and scripts of the page itself, by hash. `frame-ancestors` lists the sites that may show it in a frame',
        'cache-control': '`no-store` for content of a contact. The default content can be cached for a minute',
      },
    },
    404: { description: 'The URL is invalid: the search did not return it', mediaType: 'text/html' },
    500: { description: 'Internal error', mediaType: 'text/html' },
    503: { description: 'The service is temporarily unavailable', mediaType: 'text/html' },
  },
});

/** The reference determines the page. Other fields of the form are ignored. */
export const contentAction = z
  .looseObject({
    type: z.enum(pageActionTypes, 'must be page_viewed or page_completed').meta({ description: 'Type of the action' }),
    answers: sentAnswers().default([]).meta({
      description: 'With `page_completed`: the answers. If one declines, the page is not completed',
    }),
    language: shownLanguage(),
  })
  .meta({ id: 'ContentAction', description: 'An action on the page whose content is shown' });

export const recordContentAction = contract({
  id: 'record-content-action',
  ofOwnPages: true,
  tag,
  summary: 'Record an action on content in a frame',
  description:
    'Called by the content itself. Actions count on the journey as those of the journey page do: each type once for ' +
    'each page. Only a page with the condition `view`, `confirm` or `action` can be completed here. A page that needs ' +
    'a proof of identity cannot, because a person cannot give one in a frame.',
  ownBody: { mediaTypes: ['application/json', 'application/x-www-form-urlencoded'], schema: contentAction },
  hasErrorPages: true,
  responses: {
    204: { description: 'The action was recorded. Sent if the request is JSON' },
    303: {
      description:
        'Sent if the request is a form. The action was recorded, unless the content no longer exists, which the page then says',
      headers: { location: 'URL of the content' },
    },
  },
  problems: [
    'invalid_request',
    'unsupported_media_type',
    'validation_failed',
    'forbidden',
    'identity_required',
    'conflict',
  ],
});

export const recordContentView = contract({
  id: 'record-content-view',
  ofOwnPages: true,
  tag,
  summary: 'Record a view of content in a frame, by an image',
  description:
    'For a browser or a frame without scripts. Counts only if a browser loads it as an image of the page ' +
    '(`Sec-Fetch-Dest`, `Sec-Fetch-Site`).',
  responses: {
    200: { description: 'An image of one transparent pixel', mediaType: 'image/gif' },
  },
  problems: ['identity_required'],
});
