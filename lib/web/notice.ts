import type { Template } from '../domain/content/template.ts';
import { brand, icon } from './brand.ts';
import { contentCss, noticeCss } from './css/base.ts';
import { brandCss } from './css/brand.ts';
import { themeCss } from './css/theme.ts';
import { renderDocument, type WebPage } from './document.ts';
import { html } from './html.ts';
import { iconFileOf, theme } from './journey/theme.ts';
import { reach } from './reach.ts';
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
  unsent: 422,
} as const;
export type NoticeName = keyof typeof notices;

/** The team and the template of the journey, if the URL names a known journey. */
export type NoticeSender = { team: { name: string }; template: Template };

type NoticeOptions = {
  sender?: NoticeSender;
  /** The sites that may show the page in a frame, in the syntax of CSP. */
  frameAncestors?: string;
};

/** @param language BCP 47. English if it is `null` or has no catalogue. */
export function renderNotice(
  name: NoticeName,
  language: string | null,
  { sender, frameAncestors = "'none'" }: NoticeOptions = {},
): WebPage & { status: number } {
  const words = wordsIn(language);
  const title = words.text(`notice_${name}_title`);
  const text = words.text(`notice_${name}_text`);
  const whose = sender && brand(sender.team.name, sender.template);
  const body = html`<div class="notice"><main>${whose}<h1>${title}</h1><p>${text}</p>${sender && reach(sender.template, sender.team.name, words)}</main></div>`;
  const css = (sender ? theme(sender.template) : themeCss([])) + contentCss + noticeCss + (sender ? brandCss : '');
  const head = sender && icon(iconFileOf(sender.template));
  const named = sender ? `${title} · ${sender.team.name}` : title;
  return { status: notices[name], ...renderDocument({ words, head, title: named, css, body, frameAncestors }) };
}
