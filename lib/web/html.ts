import { html as escaping } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** HTML from the templates of this folder. Any other text is escaped. */
export type Html = HtmlEscapedString;
export type Child = Html | string | number | null | undefined | false | readonly Child[];

/** A template of HTML. Values are escaped, unless they are such a template themselves. Attributes must be quoted. */
export const html = (strings: TemplateStringsArray, ...values: readonly Child[]): Html =>
  escaping(strings, ...values) as Html;

/** Blank lines separate paragraphs. Single line breaks are kept. */
export function paragraphs(text: string): Html[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map(
      (paragraph) => html`<p>${paragraph.split('\n').map((line, at) => [at > 0 && html`<br>`, withNumbers(line)])}</p>`,
    );
}

/** Telephone numbers with a plus keep their order in texts from right to left. */
export const withNumbers = (text: string): Child[] =>
  text.split(international).map((part, at) => (at % 2 === 0 ? part : html`<bdi dir="ltr">${part}</bdi>`));

const international = /(\+\d(?:[\d ().-]*\d)?)/;
