import { knownFields } from '../../lib/domain/contact.ts';
import type { GivenDocument } from '../../lib/domain/content/document.ts';
import type { JsonValue } from '../../lib/domain/json.ts';
import type { ErrorDetail } from '../../lib/domain/problem.ts';
import { unknownFieldWarnings } from '../content/unknown-fields.ts';
import { blocksWarnings } from './blocks.ts';
import { dateReasons } from './dates.ts';
import { type GivenTemplate, warnIf } from './given.ts';
import { contrastWarnings, cssWarnings, styleSheetWarnings, styleWarnings } from './styles.ts';
import { templatePartWarnings } from './template.ts';
import { languageWarnings, translationWarnings, wordsOf } from './translations.ts';
import { emptyContentWarnings, visibilityWarnings } from './visibility.ts';

/**
 * What the import accepts but a page cannot show or complete (contract, section 9). Of messages, only the fields are
 * checked, because no page shows them.
 * @param value the document as it was sent @param document what was read of it
 */
export function contentWarnings(value: JsonValue, document: GivenDocument): ErrorDetail[] {
  const { engagement_channels, objectives, templates } = document;
  return [
    ...unknownFieldWarnings(value),
    ...objectives.flatMap(({ key }, index) => objectiveWarnings(key, `/objectives/${index}/key`)),
    ...engagement_channels.flatMap((each, index) => channelWarnings(each, `/engagement_channels/${index}`)),
    ...templates.flatMap((each, index) => templateWarnings(each, `/templates/${index}`)),
  ];
}

/** A field of contacts wins over an objective of the same name (contract, section 3). */
const objectiveWarnings = (key: string, path: string): ErrorDetail[] =>
  warnIf(
    knownFields.has(key),
    path,
    `is a field of contacts, which completes nothing: choose another, such as \`${key}_done\``,
  );

function channelWarnings(
  { theme_styles, default_content: content }: GivenDocument['engagement_channels'][number],
  path: string,
): ErrorDetail[] {
  const at = `${path}/default_content`;
  const themes = [
    { value: theme_styles, path: `${path}/theme_styles` },
    { value: theme_styles?.overrides, path: `${path}/theme_styles/overrides` },
  ];
  return [
    ...styleSheetWarnings(theme_styles, `${path}/theme_styles`),
    ...contrastWarnings(themes),
    ...emptyContentWarnings(content, at),
    ...cssWarnings(content?.css, `${at}/css`),
    ...styleWarnings(content?.styles, `${at}/styles`),
    ...blocksWarnings(content?.content_blocks ?? [], at, { condition: null, surface: 'default content' }),
  ];
}

const templateWarnings = (template: GivenTemplate, path: string): ErrorDetail[] => [
  ...languageWarnings(template.language, `${path}/language`),
  ...visibilityWarnings(template, path),
  ...templatePartWarnings(template, path),
  ...wordsOf(template, path).flatMap(({ text, path: place }) =>
    dateReasons(text, template.language).map((message) => ({ path: place, message })),
  ),
  ...translationWarnings(template, path),
];
