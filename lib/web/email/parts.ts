import {
  type BlockKind,
  blockKindOf,
  blockShapeOf,
  question,
  term,
  unknownBlock,
} from '../../domain/campaigns/block-types.ts';
import type { Paragraph } from '../../domain/journeys/markup.ts';
import { leftOut, type Values } from '../../domain/journeys/placeholders.ts';
import { pathOfNamedFile } from '../../domain/teams/team-file.ts';
import { isJsonObject } from '../../domain/values/json.ts';
import { urlAt } from '../../domain/values/url.ts';
import { type Block, BlockData } from '../blocks/context.ts';
import { safeUrl } from '../links.ts';
import type { Words } from '../words/words.ts';

/** What a message consists of. It is rendered as HTML and as text, so that both say the same. */
export type Part =
  | { is: 'heading' | 'note'; text: string }
  | { is: 'text'; text: readonly Paragraph[] }
  | { is: 'terms'; terms: readonly { label: string; value: string }[] }
  | { is: 'image'; url: string; alt: string }
  | { is: 'divider' }
  | { is: 'button' | 'link'; label: string; url: string }
  | { is: 'card'; parts: readonly Part[] };

export type PartContext = {
  words: Words;
  values: Values;
  /** URL of the page on which the person can answer. */
  pageUrl: string;
  /** Base URL of images. */
  baseUrl: string;
};

type EmailBlock = (data: BlockData, context: PartContext) => readonly (Part | undefined)[];

/** How each kind of block is shown in a message. What asks for an answer leads to the page, where it can be given. */
const kinds: Readonly<Record<BlockKind, EmailBlock>> = {
  heading: (data) => [headingOf(data), textOf(data, 'body')],
  text: prose,
  card: (data) => [{ is: 'card', parts: shown(prose(data)) }],
  image,
  divider: () => [{ is: 'divider' }],
  call: (data) => [linkOf('button', data.text('text', 'name'), data.address('url'))],
  document: (data) => [headingOf(data), textOf(data, 'body'), documentOf(data)],
  agreement: (data, context) => [...statementOf(data), answerOf(context)],
  confirmation: (data, context) => [...statementOf(data), answerOf(context, data.text('text'))],
  survey: (data, context) => [headingOf(data), ...questionsOf(data), answerOf(context)],
};

/** The parts of the blocks, in their order. */
export function partsOf(blocks: readonly Block[], context: PartContext): Part[] {
  const ordered = blocks.toSorted((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity) || 0);
  return ordered.flatMap((block) => {
    const kind = blockKindOf(block.type);
    const { fields } = blockShapeOf(block.type);
    const parts = shown((kind ? kinds[kind] : unknown)(new BlockData(block.data, context.values, fields), context));
    const isWithheld = JSON.stringify(parts).includes(leftOut);
    return isWithheld ? [...parts, { is: 'note', text: `${leftOut} ${context.words.text('withheld')}` }] : parts;
  });
}

const shown = (parts: readonly (Part | undefined)[]): Part[] =>
  parts.filter((part) => part !== undefined && !(part.is === 'card' && part.parts.length === 0)) as Part[];

const headingOf = (data: BlockData): Part | undefined => {
  const text = data.text('heading');
  return text === undefined ? undefined : { is: 'heading', text };
};

const textOf = (data: BlockData, name: string): Part | undefined => {
  const text = data.prose(name);
  return text && { is: 'text', text };
};

function prose(data: BlockData): readonly (Part | undefined)[] {
  const terms = data.list('terms').flatMap((each) => {
    const own = data.within(each, term.fields);
    const [label, value] = [own.text('label'), own.text('value')];
    return label === undefined || value === undefined ? [] : [{ label, value }];
  });
  return [headingOf(data), textOf(data, 'body'), terms.length > 0 ? { is: 'terms', terms } : undefined];
}

/** Mail programs show no images that are in the message itself, so in place of a data URL stands its text. */
function image(data: BlockData, { baseUrl }: PartContext): readonly (Part | undefined)[] {
  const path = pathOfNamedFile(data.raw('file_id'));
  const [alt, caption] = [data.text('altText'), data.text('caption')];
  const text = path === undefined ? (caption ?? alt) : caption;
  return [
    path === undefined ? undefined : { is: 'image', url: urlAt(baseUrl, path), alt: alt ?? '' },
    text === undefined ? undefined : { is: 'note', text },
  ];
}

function linkOf(is: 'button' | 'link', label: string | undefined, address: string | undefined): Part | undefined {
  const url = address === undefined ? undefined : safeUrl(address);
  return label === undefined || url === undefined ? undefined : { is, label, url };
}

const documentOf = (data: BlockData): Part | undefined =>
  linkOf('link', data.text('documentLinkText', 'name'), data.address('documentLinkUrl'));

const statementOf = (data: BlockData): readonly (Part | undefined)[] => [
  headingOf(data),
  textOf(data, 'body'),
  textOf(data, 'agreementText'),
  documentOf(data),
];

const answerOf = ({ words, pageUrl }: PartContext, label = words.text('mail_answer')): Part => ({
  ...{ is: 'button', label, url: pageUrl },
});

const questionsOf = (data: BlockData): (Part | undefined)[] =>
  data
    .list('questions')
    .map((each) => textOf(data.within(isJsonObject(each) ? each : { text: each }, question.fields), 'text'));

const { name, customClass, heading, ...texts } = unknownBlock.fields;

/** An unknown type shows its texts. */
const unknown: EmailBlock = (data) => [headingOf(data), ...Object.keys(texts).map((each) => textOf(data, each))];
