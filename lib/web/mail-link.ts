import type { Template } from '../domain/campaigns/template.ts';
import type { OwnWords } from '../domain/campaigns/values.ts';
import { brand, icon } from './brand.ts';
import { contentCss, noticeCss } from './css/base.ts';
import { partsCss } from './css/parts.ts';
import { themeCss } from './css/theme.ts';
import { renderDocument, type WebPage } from './document.ts';
import { html } from './html.ts';
import { lookOf } from './journey/theme.ts';
import { wordsIn } from './words/words.ts';

/** The pages of links in messages, each with what its button does. */
export const mailPages = {
  unsubscribe: 'unsubscribe',
  unsubscribed: 'resubscribe',
  unsubscribed_only: undefined,
  resubscribed: 'unsubscribe',
  verify: 'verify',
  verified: undefined,
  used: undefined,
  expired: undefined,
  changed: undefined,
} as const;
export type MailPage = keyof typeof mailPages;

export type MailPageInput = {
  /** BCP 47. English if it is `null` or has no catalogue. */
  language: string | null;
  team: { name: string; words: OwnWords | null };
  /** The campaign whose look the page has. */
  template: Template | undefined;
  /** The address of the person, half hidden, if it is still the one that the message was sent to. */
  address: string | null;
};

const buttons = {
  unsubscribe: 'mail_unsubscribe_button',
  unsubscribed: 'mail_unsubscribed_button',
  resubscribed: 'mail_unsubscribe_button',
  verify: 'mail_verify_button',
} as const;

function partsOf(page: MailPage, { language, team, template, address }: MailPageInput) {
  const words = wordsIn(language).with(team.words, template?.words);
  const values = { team: team.name, address: address ?? words.text('mail_your_address') };
  const title = words.text(`mail_${page === 'unsubscribed_only' ? 'unsubscribed' : page}_title`);
  const button = page in buttons ? words.text(buttons[page as keyof typeof buttons]) : undefined;
  return { words, title, text: words.text(`mail_${page}_text`, values), button };
}

/** What the page says to the person who presses its button. It is kept as evidence, so it has no address. */
export function textOfMailPage(page: MailPage, input: MailPageInput): string {
  const { title, text, button } = partsOf(page, { ...input, address: null });
  return [title, text, ...(button === undefined ? [] : [`[${button}]`])].join(' ');
}

/** A page with one button at most. It needs no script, and its form is sent to its own URL. */
export function renderMailPage(page: MailPage, input: MailPageInput): WebPage {
  const { team, template } = input;
  const { words, title, text, button } = partsOf(page, input);
  const whose = template ? brand(team.name, template) : html`<p class="brand">${team.name}</p>`;
  const form =
    button !== undefined &&
    html`<form class="call" method="post"><input type="hidden" name="act" value="${mailPages[page]}"><button class="button">${button}</button></form>`;
  const body = html`<div class="notice"><main>${whose}<h1>${title}</h1><p>${text}</p>${form}</main></div>`;
  const look = template && lookOf(template);
  const css = (look?.css ?? themeCss([])) + contentCss + partsCss(String(body)) + noticeCss;
  return renderDocument({ words, head: look && icon(look.iconFile), title: `${title} · ${team.name}`, css, body });
}
