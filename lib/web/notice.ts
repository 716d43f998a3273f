import { contentCss, noticeCss } from './css/base.ts';
import { themeCss } from './css/theme.ts';
import { renderDocument, type WebPage } from './document.ts';
import { html } from './html.ts';

/** What a person reads where there is no journey to show. */
export const notices = {
  unknown: {
    status: 404,
    title: 'We cannot find this page',
    text: 'Please check that the address is complete: links in messages are sometimes cut off. If you typed it, compare every character.',
  },
  archived: {
    status: 410,
    title: 'This has come to an end',
    text: 'The page that you are looking for has been closed. There is nothing left for you to do here.',
  },
  expired: {
    status: 410,
    title: 'This invitation has expired',
    text: 'The time for it has passed. If you would still like to go on, please ask your institution for a new link.',
  },
  foreign: {
    status: 403,
    title: 'This form was sent from somewhere else',
    text: 'To protect you, answers are only taken from the page itself. Please open the link that you were sent, and start again there.',
  },
  content: {
    status: 404,
    title: 'There is nothing to show here',
    text: 'The address of this content is not complete, or no longer holds. Please reload the page around it.',
  },
  unavailable: {
    status: 404,
    title: 'This page is not open at the moment',
    text: 'Please try again later. Nothing that you did here has been lost.',
  },
  fault: {
    status: 500,
    title: 'Something went wrong on our side',
    text: 'Nothing that you did here has been lost. Please try again in a moment.',
  },
  busy: {
    status: 503,
    title: 'We are very busy just now',
    text: 'Please try again in a moment. Nothing that you did here has been lost.',
  },
} as const;
export type NoticeName = keyof typeof notices;

/** @param frameAncestors which sites may show it in a frame, as CSP says it */
export function renderNotice(name: NoticeName, frameAncestors = "'none'"): WebPage & { status: number } {
  const { status, title, text } = notices[name];
  const body = html`<div class="notice"><main><h1>${title}</h1><p>${text}</p></main></div>`;
  return { status, ...renderDocument({ title, css: themeCss([]) + contentCss + noticeCss, body, frameAncestors }) };
}
