import type { Template } from '../domain/campaigns/template.ts';
import { paragraphsOf } from '../domain/journeys/markup.ts';
import { isFilledText, isJsonObject, type JsonObject, type JsonValue } from '../domain/values/json.ts';
import { type Child, html } from './html.ts';
import { link } from './links.ts';
import { paragraphs } from './prose.ts';
import type { Words } from './words/words.ts';

/**
 * How to reach the institution, from the template's `support_owner_options`: `name`, `text`, `phone`, `email` and `url`.
 * @param level of the heading, one below the heading that the section belongs to. In an answer it is no heading
 */
export function reach(
  { support_owner_options: options }: Pick<Template, 'support_owner_options'>,
  teamName: string | undefined,
  words: Words,
  level: 'h2' | 'h3' | 'p',
): Child {
  if (!isJsonObject(options)) return undefined;
  const { name, text, phone, email, url } = texts(options);
  const links = [
    phone && link(`tel:${phone.replaceAll(/[^\d+]/g, '')}`, html`<bdi dir="ltr">${phone}</bdi>`),
    email && link(`mailto:${email}`, email),
    url && link(url, url.replace(/^https?:\/\//, '')),
  ].filter(Boolean);
  if (text === undefined && links.length === 0) return undefined;
  const title = words.text('reach', { team: name ?? teamName ?? '' }).trim();
  return html`<section class="reach">${headings[level](title)}${text !== undefined && paragraphs(paragraphsOf(text))}${
    links.length > 0 && html`<ul class="links">${links.map((each) => html`<li>${each}</li>`)}</ul>`
  }</section>`;
}

const headings = {
  h2: (title: string) => html`<h2>${title}</h2>`,
  h3: (title: string) => html`<h3>${title}</h3>`,
  p: (title: string) => html`<p><strong>${title}</strong></p>`,
};

/** The fields that are read, each of them a text. */
export const reachFields = ['name', 'text', 'phone', 'email', 'url'] as const;

const texts = (options: JsonObject): { [Name in (typeof reachFields)[number]]?: string } =>
  Object.fromEntries(
    reachFields.flatMap((name) => {
      const value: JsonValue | undefined = options[name];
      return isFilledText(value) ? [[name, value.trim()]] : [];
    }),
  );
