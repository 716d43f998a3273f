import { knownFields } from '../../lib/domain/contact.ts';
import type { GivenDocument } from '../../lib/domain/content/document.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/domain/json.ts';
import { textsIn } from '../../lib/domain/placeholders.ts';
import { type ErrorDetail, namesInPointer } from '../../lib/domain/problem.ts';
import { lengthOf } from '../../lib/web/channel/css.ts';
import { unknownFieldWarnings } from '../content/unknown-fields.ts';
import { partsOfBlocks } from './blocks.ts';
import { contrastWarnings } from './contrast.ts';
import { dateReasons } from './dates.ts';
import { emptyContentWarnings, withoutData } from './empty.ts';
import type { GivenTemplate } from './given.ts';
import { warningsOf } from './parts.ts';
import { cssWarnings, styleSheetWarnings, styleWarnings } from './styles.ts';
import { partsOfTemplate } from './template.ts';
import { isAmong, languageWarnings, translationWarnings, wordsOf } from './translations.ts';
import { namesUsedIn, type VariableNames, variablesFilledIn } from './variables.ts';
import { visibilityWarnings } from './visibility.ts';

/**
 * What the import accepts but a page cannot show or complete (contract, section 9). Of messages, only the fields are
 * checked, because no page shows them.
 * @param value the document as it was sent @param document what was read of it
 */
export function contentWarnings(value: JsonValue, document: GivenDocument): ErrorDetail[] {
  const { engagement_channels, objectives, templates } = document;
  const names = { used: namesUsedIn(document), filled: variablesFilledIn(document) };
  const unknown = unknownFieldWarnings(value);
  const unknownFields = unknown.map(({ path }) => ({ path, value: valueAt(value, path) }));
  const warnings = [
    ...unknown,
    ...objectives.flatMap(({ key }, index) => objectiveWarnings(key, `/objectives/${index}/key`)),
    ...engagement_channels.flatMap((each, index) => channelWarnings(each, `/engagement_channels/${index}`)),
    ...templates.flatMap((each, index) => {
      const path = `/templates/${index}`;
      const ofTemplate = unknownFields.filter((field) => field.path.startsWith(`${path}/`));
      return templateWarnings(each, path, names, ofTemplate);
    }),
  ];
  // The texts of a block without `data` are probably in the field that is not known.
  const isConsequence = ({ path, message }: ErrorDetail) =>
    message === withoutData && unknown.some((each) => each.path.startsWith(path.slice(0, -'data'.length)));
  return warnings.filter((each) => !isConsequence(each));
}

/** A field of contacts wins over an objective of the same name (contract, section 3). */
const objectiveWarnings = (key: string, path: string): ErrorDetail[] =>
  knownFields.has(key)
    ? [{ path, message: `is a field of contacts, which completes nothing: choose another, such as \`${key}_done\`` }]
    : [];

type UnknownField = { path: string; value: JsonValue | undefined };

const valueAt = (value: JsonValue, path: string): JsonValue | undefined =>
  namesInPointer(path).reduce<JsonValue | undefined>((inner, name) => (inner as JsonObject | undefined)?.[name], value);

/** Fields whose texts and blocks the rest of the template may be written for. */
const isLarge = ({ value }: UnknownField): boolean => Array.isArray(value) && value.some((each) => isJsonObject(each));

function channelWarnings(
  { properties, theme_styles, default_content: content }: GivenDocument['engagement_channels'][number],
  path: string,
): ErrorDetail[] {
  const at = `${path}/default_content`;
  const themes = [
    { value: theme_styles, path: `${path}/theme_styles` },
    { value: theme_styles?.overrides, path: `${path}/theme_styles/overrides` },
  ];
  return [
    ...(['height', 'width'] as const).flatMap((name) =>
      lengthWarnings(properties?.[name], `${path}/properties/${name}`),
    ),
    ...styleSheetWarnings(theme_styles, `${path}/theme_styles`),
    ...contrastWarnings(themes),
    ...emptyContentWarnings(content, at),
    ...cssWarnings(content?.css, `${at}/css`),
    ...styleWarnings(content?.styles, `${at}/styles`),
    ...warningsOf(partsOfBlocks(content?.content_blocks ?? [], at, { condition: null, surface: 'default content' })),
  ];
}

const lengthWarnings = (length: JsonValue | undefined, path: string): ErrorDetail[] =>
  length === undefined || length === null || lengthOf(length) !== undefined
    ? []
    : [{ path, message: 'is not used: write a length such as "320px" or "100%"' }];

function templateWarnings(
  template: GivenTemplate,
  path: string,
  names: VariableNames,
  unknownFields: readonly UnknownField[],
): ErrorDetail[] {
  const isPartial = unknownFields.some(isLarge);
  const unknownTexts = new Set(unknownFields.flatMap((each) => textsIn(each.value)));
  const parts = partsOfTemplate(template, path, {
    names: isPartial ? { ...names, used: undefined } : names,
    isPartial,
  });
  const unread = parts.flatMap((part) => part.unread);
  return [
    ...languageWarnings(template.language, `${path}/language`),
    ...(isPartial ? [] : visibilityWarnings(template, path)),
    ...warningsOf(parts),
    ...wordsOf(template, path)
      .filter((each) => !isAmong(unread, each.path))
      .flatMap((each) => dateReasons(each.text, template.language).map((message) => ({ path: each.path, message }))),
    ...translationWarnings(template, path, unread, unknownTexts),
  ];
}
