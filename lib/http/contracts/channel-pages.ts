import * as z from 'zod';
import { pageActionTypes } from '../../domain/completion.ts';
import { sentAnswers } from '../../domain/response.ts';
import { contract } from '../contract.ts';

const tag = 'Engagement channels';

export const showChannelContent = contract({
  id: 'show-channel-content',
  tag,
  summary: 'The content of a channel, for a frame',
  description:
    'The page behind the `url` that the search answers, to be shown in a frame of the size that the channel has. It ' +
    'holds fields of the contact and `meta_public`, never `meta_private`. Content that is there no longer, or no longer ' +
    'for the contact, is replaced by the default content of the channel. Showing it counts as a view only when the page ' +
    'itself reports that.',
  responses: {
    200: {
      description: 'The content',
      mediaType: 'text/html',
      headers: {
        'content-security-policy':
          'Allows what the page brings itself, by hash, and nothing else; `frame-ancestors` names the sites that may frame it',
        'cache-control': '`no-store` for content of a contact; the default content may be kept for a minute',
      },
    },
    404: { description: 'The address does not hold: it was not made by the search', mediaType: 'text/html' },
    500: { description: 'The fault is ours', mediaType: 'text/html' },
    503: { description: 'The service is briefly unavailable', mediaType: 'text/html' },
  },
});

/** The page follows from the reference; other fields of the form are let be. */
export const contentAction = z
  .looseObject({
    type: z.enum(pageActionTypes, 'must be page_viewed or page_completed').meta({ description: 'What was done' }),
    answers: sentAnswers().default([]).meta({
      description: 'With `page_completed`: what was answered. Where something was declined nothing completes',
    }),
  })
  .meta({ id: 'ContentAction', description: 'What was done on the page whose content is shown' });

export const recordContentAction = contract({
  id: 'record-content-action',
  ofOwnPages: true,
  tag,
  summary: 'Record what was done on content in a frame',
  description:
    'For the content itself. Counts on the journey as the journey page does: each type once a page. Only a page that ' +
    'completes by `view`, `confirm` or `action` can be completed here, and none that asks for a proof of identity: ' +
    'nobody can give one in a frame.',
  ownBody: { mediaTypes: ['application/json', 'application/x-www-form-urlencoded'], schema: contentAction },
  responses: {
    204: { description: 'Recorded, for JSON' },
    303: {
      description: 'For a form: recorded, unless the content is there no longer, which the page then shows',
      headers: { location: 'The content' },
    },
  },
  problems: ['invalid_request', 'unsupported_media_type', 'validation_failed', 'forbidden', 'identity_required'],
});

export const recordContentView = contract({
  id: 'record-content-view',
  ofOwnPages: true,
  tag,
  summary: 'Record that content in a frame was seen, by an image',
  description:
    'For the content in a browser, or a frame, without scripts. Counts only what a browser loads as an image of the ' +
    'page (`Sec-Fetch-Dest`, `Sec-Fetch-Site`).',
  responses: {
    200: { description: 'One transparent pixel', mediaType: 'image/gif' },
  },
  problems: ['identity_required'],
});
