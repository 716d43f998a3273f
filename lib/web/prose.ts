import { type Paragraph, type Piece, paragraphsOf, plainParagraphsOf } from '../domain/journeys/markup.ts';
import { fill, fillUrl, placeholder, type Values } from '../domain/journeys/placeholders.ts';
import { directionOf } from '../domain/values/direction.ts';
import { type Html, html, inOrder } from './html.ts';
import { link, safeUrl } from './links.ts';

/**
 * The paragraphs of an author's text with its placeholders filled in. What is empty then is left out, and so are URLs to
 * which content may not link. `undefined` if nothing is left.
 */
export function proseOf(text: string, values: Values): Paragraph[] | undefined {
  const { direction } = values;
  // A bold word or the text of a link can be without a letter, and has the direction of the whole text.
  const own = direction && (directionOf(text.replaceAll(placeholder, '')) ?? direction);
  const filled = (piece: Piece) => filledPiece(piece, { ...values, direction: own });
  const paragraphs = paragraphsOf(text)
    .map(({ is, lines }) => ({ is, lines: lines.map((line) => line.map(filled)).filter(hasText) }))
    .filter(({ lines }) => lines.length > 0);
  return paragraphs.length > 0 ? paragraphs : undefined;
}

const hasText = (line: readonly Piece[]): boolean => line.some(({ text }) => text.trim() !== '');

function filledPiece({ text, url, ...rest }: Piece, values: Values): Piece {
  const safe = url === undefined ? undefined : safeUrl(fillUrl(url, values));
  return { ...rest, text: fill(text, values), ...(safe === undefined ? {} : { url: safe }) };
}

/** How a kind of document shows the parts of paragraphs. */
export type ProseLook = {
  paragraph(lines: Html): Html;
  list(items: readonly Html[]): Html;
  text(text: string): Html;
  link(url: string, text: Html): Html;
};

/** @param at the number of the paragraph */
export const renderProse = (paragraphs: readonly Paragraph[], lookOf: (at: number) => ProseLook): Html[] =>
  paragraphs.map(({ is, lines }, at) => {
    const look = lookOf(at);
    const shown = lines.map((line) => html`${line.map((piece) => pieceOf(piece, look))}`);
    return is === 'list' ? look.list(shown) : look.paragraph(broken(shown));
  });

/** A value can have several lines too. */
function pieceOf({ text, isBold, url }: Piece, look: ProseLook): Html {
  const shown = broken(text.split('\n').map((line) => (url === undefined ? look.text(line) : html`${inOrder(line)}`)));
  const linked = url === undefined ? shown : look.link(url, shown);
  return isBold ? html`<strong>${linked}</strong>` : linked;
}

const broken = (lines: readonly Html[]): Html => html`${lines.map((line, at) => [at > 0 && html`<br>`, line])}`;

const ofPages: ProseLook = {
  paragraph: (lines) => html`<p>${lines}</p>`,
  list: (items) => html`<ul class="listed">${items.map((each) => html`<li>${each}</li>`)}</ul>`,
  text: (text) => html`${inOrder(text)}`,
  link: (url, text) => link(url, text),
};

/** @param of a text in which nothing has a meaning, or what `proseOf` made of a text */
export const paragraphs = (of: string | readonly Paragraph[]): Html[] =>
  renderProse(typeof of === 'string' ? plainParagraphsOf(of) : of, () => ofPages);
