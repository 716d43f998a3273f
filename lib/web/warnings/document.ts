import { knownFields } from '../../domain/contact.ts';
import type { GivenDocument } from '../../domain/content/document.ts';
import { unknownFieldWarnings } from '../../domain/content/unknown-fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { textsIn } from '../../domain/placeholders.ts';
import { type ErrorDetail, namesInPointer } from '../../domain/problem.ts';
import { lengthOf } from '../channel/css.ts';
import { partsOfBlocks } from './blocks.ts';
import { classesUsedIn, scopeOfBlocks, type UsedClasses } from './classes.ts';
import { consentTranslationWarnings } from './consents.ts';
import { contrastWarnings } from './contrast.ts';
import { cssContrastWarnings } from './css-contrast.ts';
import { hiddenWarnings } from './css-hidden.ts';
import { layoutWarnings } from './css-layout.ts';
import { dateReasons } from './dates.ts';
import { emptyContentWarnings, emptyTextWarnings, withoutData } from './empty.ts';
import { equalTranslationWarnings } from './equal-translations.ts';
import { fontWarnings } from './fonts.ts';
import type { GivenTemplate } from './given.ts';
import { labelWarnings } from './labels.ts';
import { languageWarnings } from './languages.ts';
import { warningsOf } from './parts.ts';
import { sheetsOfContent, sheetsOfDocument } from './sheets.ts';
import { cssWarnings, styleSheetWarnings, styleWarnings } from './styles.ts';
import { partsOfTemplate } from './template.ts';
import { differentTermWarnings } from './terms.ts';
import { isAmong, scriptWarnings, translationWarnings, wordsOf } from './translations.ts';
import { namesUsedIn, type VariableNames, variablesFilledIn } from './variables.ts';
import { visibilityWarnings } from './visibility.ts';

/** A field of contacts wins over an objective of the same name (contract, section 3). */
const objectiveWarnings = (key: string, path: string): ErrorDetail[] =>
  knownFields.has(key)
    ? [{ path, message: `is a field of contacts, which completes nothing: choose another, such as \`${key}_done\`` }]
    : [];

type GivenChannel = GivenDocument['engagement_channels'][number];

/**
 * What the import accepts but a page cannot show or complete (contract, section 9). Messages are not looked at but for
 * their fields: no page shows them.
 * @param value the document as it was sent @param document what was read of it
 */
export function contentWarnings(value: JsonValue, document: GivenDocument): ErrorDetail[] {
  const { engagement_channels, objectives, templates } = document;
  const names = { used: namesUsedIn(document), filled: variablesFilledIn(document) };
  const usedClasses = {
    names: classesUsedIn(sheetsOfDocument(document)),
    channels: new Set(engagement_channels.map(({ id }) => id)),
  };
  const defaultTexts = new Set(
    engagement_channels.flatMap(({ default_content }) =>
      (default_content?.content_blocks ?? []).flatMap(({ data }) => textsIn(data)),
    ),
  );
  const unknown = unknownFieldWarnings(value);
  const unknownFields = unknown.map(({ path }) => ({ path, value: valueAt(value, path) }));
  const warnings = [
    ...unknown,
    ...objectives.flatMap(({ key }, index) => objectiveWarnings(key, `/objectives/${index}/key`)),
    ...engagement_channels.flatMap((each, index) =>
      channelWarnings(each, `/engagement_channels/${index}`, usedClasses),
    ),
    ...templates.flatMap((each, index) => {
      const path = `/templates/${index}`;
      const ofTemplate = unknownFields.filter((field) => field.path.startsWith(`${path}/`));
      return templateWarnings(each, path, { defaultTexts, names, usedClasses, unknownFields: ofTemplate });
    }),
  ];
  // The texts of a block without `data` are probably in the field that is not known.
  const isConsequence = ({ path, message }: ErrorDetail) =>
    message === withoutData && unknown.some((each) => each.path.startsWith(path.slice(0, -'data'.length)));
  return warnings.filter((each) => !isConsequence(each));
}

type UnknownField = { path: string; value: JsonValue | undefined };

const valueAt = (value: JsonValue, path: string): JsonValue | undefined =>
  namesInPointer(path).reduce<JsonValue | undefined>((inner, name) => (inner as JsonObject | undefined)?.[name], value);

/** Fields whose texts and blocks the rest of the template may be written for. */
const isLarge = ({ value }: UnknownField): boolean => Array.isArray(value) && value.some((each) => isJsonObject(each));

function channelWarnings(
  { name, properties, theme_styles, default_content: content }: GivenChannel,
  path: string,
  usedClasses: UsedClasses,
) {
  const at = `${path}/default_content`;
  const blocks = content?.content_blocks ?? [];
  const scope = scopeOfBlocks(blocks);
  const sheets = content ? sheetsOfContent(content, at) : [];
  const themes = [
    { value: theme_styles, path: `${path}/theme_styles` },
    { value: theme_styles?.overrides, path: `${path}/theme_styles/overrides` },
  ];
  return [
    ...emptyTextWarnings({ name }, path),
    ...emptyContentWarnings(content, at),
    ...(['height', 'width'] as const).flatMap((name) =>
      lengthWarnings(properties?.[name], `${path}/properties/${name}`),
    ),
    // Its styles apply to all content for the channel, which can be in other documents.
    ...styleSheetWarnings(theme_styles, `${path}/theme_styles`, undefined),
    ...contrastWarnings(themes, 'channels'),
    ...cssContrastWarnings(sheets, {}),
    ...layoutWarnings(sheets),
    ...hiddenWarnings(sheets),
    ...fontWarnings(themes),
    ...cssWarnings(content?.css, `${at}/css`, scope),
    ...styleWarnings(content?.styles, `${at}/styles`, scope),
    ...warningsOf(
      partsOfBlocks(blocks, at, { condition: null, surface: 'default content', usedClasses: usedClasses.names }),
    ),
  ];
}

const lengthWarnings = (length: JsonValue | undefined, path: string): ErrorDetail[] =>
  length === undefined || length === null || lengthOf(length) !== undefined
    ? []
    : [{ path, message: 'is not used: write a length such as "320px" or "100%"' }];

type Around = {
  defaultTexts: ReadonlySet<string>;
  names: VariableNames;
  usedClasses: UsedClasses;
  unknownFields: readonly UnknownField[];
};

function templateWarnings(
  template: GivenTemplate,
  path: string,
  { defaultTexts, names, usedClasses, unknownFields }: Around,
): ErrorDetail[] {
  const isPartial = unknownFields.some(isLarge);
  const unknownTexts = new Set(unknownFields.flatMap((each) => textsIn(each.value)));
  const parts = partsOfTemplate(template, path, {
    ...{ names: isPartial ? { ...names, used: undefined } : names, usedClasses: isPartial ? undefined : usedClasses },
    isPartial,
  });
  const unread = parts.flatMap((part) => part.unread);
  const words = wordsOf(template, path);
  return [
    ...languageWarnings(template.language, `${path}/language`),
    ...scriptWarnings(
      template.language,
      words.map(({ text }) => text),
      `${path}/language`,
    ),
    ...(isPartial ? [] : visibilityWarnings(template, path)),
    ...warningsOf(parts),
    ...words
      .filter((each) => !isAmong(unread, each.path))
      .flatMap((each) => dateReasons(each.text, template.language).map((message) => ({ path: each.path, message }))),
    ...translationWarnings(template, path, unread, { defaultTexts, unknownTexts }),
    ...labelWarnings(template, path),
    ...equalTranslationWarnings(template, path),
    ...differentTermWarnings(template, path),
    ...consentTranslationWarnings(template, path),
  ];
}
