import type { Template } from '../domain/campaigns/template.ts';
import type { OwnWords } from '../domain/campaigns/values.ts';
import { type Journey, journeyPath } from '../domain/journeys/journey.ts';
import { brand, icon } from './brand.ts';
import { contentCss, noticeCss } from './css/base.ts';
import { partsCss } from './css/parts.ts';
import { themeCss } from './css/theme.ts';
import { renderDocument, type WebPage } from './document.ts';
import { type Child, html } from './html.ts';
import { lookOf } from './journey/theme.ts';
import { reach } from './reach.ts';
import { type Words, wordsIn } from './words/words.ts';

/** The pages that are shown instead of a journey, with their statuses. */
export const notices = {
  unknown: 404,
  no_page: 404,
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
export type NoticeSender = {
  team: { name: string; words?: OwnWords | null };
  template: Template;
  journey?: Pick<Journey, 'slug'>;
};

export type NoticeOptions = {
  sender?: NoticeSender;
  /** The sites that may show the page in a frame, in the syntax of CSP. */
  frameAncestors?: string;
  /** For `unsent`: the fields of the form, which the notice sends again to its own URL. */
  fields?: Readonly<Record<string, string>> | undefined;
};

/** @param language BCP 47. English if it is `null` or has no catalogue. */
export function renderNotice(
  name: NoticeName,
  language: string | null,
  { sender, frameAncestors = "'none'", fields }: NoticeOptions = {},
): WebPage & { status: number } {
  const words = wordsIn(language).with(sender?.team.words, sender?.template.words);
  const title = words.text(`notice_${name}_title`);
  const text = words.text(`notice_${name}_text`);
  const whose = sender && brand(sender.team.name, sender.template);
  const body = html`<div class="notice"><main>${whose}<h1>${title}</h1><p>${text}</p>${onward(name, sender, words)}${fields && again(fields, words)}${sender && reach(sender.template, sender.team.name, words, 'h2')}</main></div>`;
  const look = sender && lookOf(sender.template);
  const css = (look?.css ?? themeCss([])) + contentCss + partsCss(String(body)) + noticeCss;
  const head = look && icon(look.iconFile);
  const named = sender ? `${title} · ${sender.team.name}` : title;
  return { status: notices[name], ...renderDocument({ words, head, title: named, css, body, frameAncestors }) };
}

/** From a page that the journey does not have, to the page where the person is. */
const onward = (name: NoticeName, sender: NoticeSender | undefined, words: Words): Child =>
  name === 'no_page' &&
  sender?.journey &&
  html`<p class="call"><a class="button" href="${journeyPath(sender.journey.slug)}">${words.text('notice_no_page_link')}</a></p>`;

/** Everything that was entered, so that it can be sent again without scripts. */
const again = (fields: Readonly<Record<string, string>>, words: Words): Child =>
  html`<form class="call" method="post">${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button class="button">${words.text('try_again')}</button></form>`;
