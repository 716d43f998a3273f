import { html as escaping } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** HTML that the templates of this folder made. Any other text is escaped wherever it is put. */
export type Html = HtmlEscapedString;
export type Child = Html | string | number | null | undefined | false | readonly Child[];

/** A template of HTML: what is put into it is escaped, unless it is such a template itself. Attributes are quoted. */
export const html = (strings: TemplateStringsArray, ...values: readonly Child[]): Html =>
  escaping(strings, ...values) as Html;

/** Paragraphs where blank lines part the text, lines where line breaks do. */
export function paragraphs(text: string): Html[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => html`<p>${paragraph.split('\n').map((line, at) => (at === 0 ? line : html`<br>${line}`))}</p>`);
}
