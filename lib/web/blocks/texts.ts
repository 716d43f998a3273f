import { term, unknownBlock } from '../../domain/campaigns/block-types.ts';
import { pathOfNamedFile } from '../../domain/teams/team-file.ts';
import { html, inOrder } from '../html.ts';
import { isImageData } from '../links.ts';
import { inScheme } from '../picture.ts';
import { paragraphs } from '../prose.ts';
import type { BlockData, BlockType } from './context.ts';

export const heading: BlockType = (data) => [headingOf(data), bodyOf(data, 'body', 'lead')];

export const text: BlockType = (data) => [headingOf(data), bodyOf(data), termsOf(data)];

export function bodyOf(data: BlockData, name = 'body', className = 'prose') {
  const body = data.prose(name);
  return body !== undefined && html`<div class="${className}">${paragraphs(body)}</div>`;
}

/** Pairs of a label and a value. A value has its own direction, so that "3.2 %" is the same in every language. */
function termsOf(data: BlockData) {
  const pairs = data.list('terms').flatMap((each) => {
    const own = data.within(each, term.fields);
    const [label, value] = [own.text('label'), own.text('value')];
    if (label === undefined || value === undefined) return [];
    return [html`<div><dt>${inOrder(label)}</dt><dd><bdi>${inOrder(value)}</bdi></dd></div>`];
  });
  return pairs.length > 0 && html`<dl class="terms">${pairs}</dl>`;
}

export const card: BlockType = (data, context) => html`<div class="card">${text(data, context)}</div>`;

/** An image is a file of the team or a data URL. If it is neither, the caption or the description is shown instead. */
export const image: BlockType = (data, { isDark }) => {
  const source = imageOf(data);
  const alt = data.text('altText');
  const caption = data.text('caption');
  if (source === undefined) {
    return (caption ?? alt) !== undefined && html`<p class="caption">${inOrder(caption ?? alt ?? '')}</p>`;
  }
  const legend = caption !== undefined && html`<figcaption class="caption">${inOrder(caption)}</figcaption>`;
  const shown = html`<img src="${source}" alt="${alt ?? ''}">`;
  return html`<figure>${inScheme(shown, isDark && data.raw('dark_file_id'))}${legend}</figure>`;
};

function imageOf(data: BlockData): string | undefined {
  const file = pathOfNamedFile(data.raw('file_id'));
  if (file !== undefined) return file;
  const source = data.raw('src');
  return typeof source === 'string' && isImageData(source) ? source : undefined;
}

export const divider: BlockType = () => html`<hr>`;

const { name, customClass, ...shownTexts } = unknownBlock.fields;

/** An unknown type: shows only its texts. */
export const unknown: BlockType = (data) =>
  Object.keys(shownTexts).map((name) => (name === 'heading' ? headingOf(data) : bodyOf(data, name)));

export function headingOf(data: BlockData) {
  const found = data.text('heading');
  return found !== undefined && html`<h2>${inOrder(found)}</h2>`;
}
