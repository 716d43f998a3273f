import { html as escaping } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { hasRightToLeft } from '../domain/values/direction.ts';

/** HTML from the templates of this folder. Any other text is escaped. */
export type Html = HtmlEscapedString;
export type Child = Html | string | number | null | undefined | false | readonly Child[];

/** A template of HTML. Values are escaped, unless they are such a template themselves. Attributes must be quoted. */
export const html = (strings: TemplateStringsArray, ...values: readonly Child[]): Html =>
  escaping(strings, ...values) as Html;

/**
 * The text with those parts apart whose order does not follow the text around them: filled-in values, telephone numbers
 * with a plus and, in texts from right to left, amounts with the sign of their currency in front.
 */
export const inOrder = (text: string): Child[] =>
  text
    .split(hasRightToLeft(text) ? apartFromRight : apart)
    .map((part, at) =>
      at % 2 === 0
        ? part
        : part.startsWith('\u2068')
          ? html`<bdi>${inOrder(part.slice(1, -1))}</bdi>`
          : html`<bdi dir="ltr">${part}</bdi>`,
    );

const isolation = '\\u2068[^\\u2068\\u2069]*\\u2069';
const phone = '\\+\\d(?:[\\d ().-]*\\d)?';
const amount = '[-\u2212]?\\p{Sc} ?\\d(?:[\\d.,]*\\d)?';
const apart = new RegExp(`(${isolation}|${phone})`, 'u');
const apartFromRight = new RegExp(`(${isolation}|${phone}|${amount})`, 'u');
