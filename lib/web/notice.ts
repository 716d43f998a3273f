import { contentCss, noticeCss } from './css/base.ts';
import { themeCss } from './css/theme.ts';
import { renderDocument, type WebPage } from './document.ts';
import { html } from './html.ts';
import { wordsIn } from './words/words.ts';

/** The pages that are shown instead of a journey, with their statuses. */
export const notices = {
  unknown: 404,
  archived: 410,
  expired: 410,
  foreign: 403,
  content: 404,
  unavailable: 404,
  fault: 500,
  busy: 503,
} as const;
export type NoticeName = keyof typeof notices;

/**
 * @param language BCP 47. English if it is `null` or has no catalogue.
 * @param frameAncestors the sites that may show the page in a frame, in the syntax of CSP
 */
export function renderNotice(
  name: NoticeName,
  language: string | null,
  frameAncestors = "'none'",
): WebPage & { status: number } {
  const words = wordsIn(language);
  const title = words.text(`notice_${name}_title`);
  const text = words.text(`notice_${name}_text`);
  const body = html`<div class="notice"><main><h1>${title}</h1><p>${text}</p></main></div>`;
  const css = themeCss([]) + contentCss + noticeCss;
  return { status: notices[name], ...renderDocument({ words, title, css, body, frameAncestors }) };
}
