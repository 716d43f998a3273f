import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { ErrorDetail } from '../../domain/problem.ts';
import { typeOf } from '../blocks/blocks.ts';
import { agreement, confirmation } from '../blocks/consent.ts';
import { takesAnswers } from '../blocks/context.ts';
import { callToAction, documentLink } from '../blocks/links.ts';
import { survey } from '../blocks/survey.ts';
import { image, unknown } from '../blocks/texts.ts';
import { sizes } from '../css/style-object.ts';
import { isImageData } from '../links.ts';
import { urlWarnings } from './addresses.ts';
import { dataWarnings, type GivenBlock } from './block-data.ts';
import { cssWarnings, styleWarnings } from './styles.ts';

/** Where blocks are: what the page they are on completes by; `null` where there is no page or no condition. */
export type BlockPlace = { condition: string | null; variables?: JsonObject };

export const blockListWarnings = (blocks: readonly GivenBlock[], path: string, place: BlockPlace): ErrorDetail[] =>
  blocks.flatMap((block, index) => blockWarnings(block, `${path}/content_blocks/${index}`, place));

function blockWarnings(block: GivenBlock, path: string, place: BlockPlace): ErrorDetail[] {
  return [
    ...typeWarnings(block, path, place),
    ...dataWarnings(block, path),
    ...imageWarnings(block, path),
    ...linkWarnings(block, path, place),
    ...gridWarnings(block, path),
    ...cssWarnings(block.css, `${path}/css`),
    ...styleWarnings(block.styles, `${path}/styles`),
  ];
}

function typeWarnings({ type }: GivenBlock, path: string, { condition }: BlockPlace): ErrorDetail[] {
  const kind = typeOf(type);
  const at = `${path}/type`;
  if (kind === unknown) return [{ path: at, message: 'is not a known type of block: a page shows only its texts' }];
  if (condition === 'confirm' || condition === 'action') return [];
  const isDecided = kind === agreement || kind === confirmation;
  // A page without a condition is never completed, and says itself that the answers to its survey are not kept.
  if (!isDecided && (kind !== survey || condition === null)) return [];
  if (!takesAnswers(condition)) {
    return [{ path: at, message: 'cannot be answered here: the page must complete by confirm, action or view' }];
  }
  return isDecided ? [{ path: at, message: 'is asked, but viewing completes the page before it is answered' }] : [];
}

/** The first of these that is a text with something in it, and its name. */
function textOf(data: GivenBlock['data'], names: readonly string[]): [name: string, text: string] | undefined {
  for (const name of names) {
    const value = memberOf(data, name);
    if (typeof value === 'string' && value.trim() !== '') return [name, value];
  }
  return undefined;
}

const memberOf = (data: GivenBlock['data'], name: string): JsonValue | undefined =>
  data && Object.hasOwn(data, name) ? (data as JsonObject)[name] : undefined;

function imageWarnings({ type, data }: GivenBlock, path: string): ErrorDetail[] {
  if (typeOf(type) !== image || textOf(data, ['file_id'])) return [];
  const [name, source] = textOf(data, ['src', 'url', 'data']) ?? [];
  if (name === undefined || source === undefined) {
    return [{ path: `${path}/data`, message: 'names no image: file_id must name a file, or src must be a data URL' }];
  }
  const message = 'is not an image that a page can show: a data URL of a PNG, GIF, JPEG, WebP, AVIF or SVG image';
  return isImageData(source) ? [] : [{ path: `${path}/data/${name}`, message }];
}

/** As the types of block read their data. */
const urlNames = ['url', 'href', 'link'];
const labelNames = ['text', 'label', 'buttonText', 'heading', 'name'];

function linkWarnings({ type, data }: GivenBlock, path: string, { variables }: BlockPlace): ErrorDetail[] {
  const kind = typeOf(type);
  const hasDocument = kind === documentLink || kind === agreement || kind === confirmation;
  const found = textOf(data, kind === callToAction ? urlNames : hasDocument ? ['documentLinkUrl'] : []);
  return found ? urlWarnings(found[1], `${path}/data/${found[0]}`, variables) : [];
}

function gridWarnings({ grid }: GivenBlock, path: string): ErrorDetail[] {
  return sizes.flatMap((size) => {
    const said = grid?.[size] ?? null;
    const columns = Number(said);
    const isUsed = said === null || (Number.isInteger(columns) && columns >= 1 && columns <= 12);
    return isUsed ? [] : [{ path: `${path}/grid/${size}`, message: 'is not a number of columns from 1 to 12' }];
  });
}

/** The label and the URL of a call to action; nothing where it shows nothing. */
export function callOfBlock({ data }: GivenBlock): { url: string | undefined } | undefined {
  return textOf(data, labelNames) && { url: textOf(data, urlNames)?.[1] };
}
