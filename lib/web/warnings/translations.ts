import type { GivenDocument } from '../../domain/content/document.ts';
import { listed } from '../../domain/content/similar.ts';
import { withTexts } from '../../domain/content/translate.ts';
import { canonicalLanguage } from '../../domain/language.ts';
import { isPlaceholderName } from '../../domain/placeholder-names.ts';
import { partsOfPlaceholder, placeholder } from '../../domain/placeholder-syntax.ts';
import { type ErrorDetail, pointer } from '../../domain/problem.ts';
import { safeUrl } from '../links.ts';
import { sampleUrl, urlWarnings } from './addresses.ts';
import { amountDifferences } from './amounts.ts';
import { currencyDifferences, percentDifferences } from './currencies.ts';
import { dateReasons } from './dates.ts';
import { fallbacksIn } from './fallbacks.ts';
import { forgottenReasons } from './forgotten.ts';
import { codeFor, isLanguage, languageWarnings } from './languages.ts';
import { markupIn } from './markup.ts';
import { monthDifferences } from './months.ts';
import { notationsIn } from './notations.ts';
import { numberDifferences } from './numbers.ts';
import { otherScript } from './scripts.ts';

type GivenTemplate = GivenDocument['templates'][number];

/**
 * What is missing in the translations of a template, or has no effect.
 * @param unread places of the template of which a page shows nothing
 */
export function translationWarnings(
  template: GivenTemplate,
  path: string,
  unread: readonly string[],
  { defaultTexts, unknownTexts }: OtherTexts,
): ErrorDetail[] {
  const { translations } = template;
  if (translations === null) return [];
  const { false: texts = [], true: unreadTexts = [] } = Object.groupBy(textsOf(template, path), (each) =>
    isAmong(unread, each.path) ? 'true' : 'false',
  );
  const all = new Set(texts.map(({ text }) => text));
  // The warning of the place of the text is the cause.
  const lost = unknownTexts.union(new Set(unreadTexts.map(({ text }) => text)));
  const languages = Object.keys(translations);
  return Object.entries(translations).flatMap(([language, given]) => {
    const at = `${path}/translations${pointer([language])}`;
    const same = languages.find((each) => canonicalLanguage(each) === canonicalLanguage(language));
    if (same !== undefined && same !== language) {
      return [
        { path: at, message: `is not used: it is the same language as \`${same}\`. Write the texts of both into one` },
      ];
    }
    if (!isLanguage(language)) {
      return [
        {
          path: at,
          message: `is not the code of a language, so no browser asks for these texts: ${codeFor(language)}`,
        },
      ];
    }
    const ofScript = scriptWarnings(language, Object.values(given), at);
    return [
      ...languageWarnings(language, at),
      ...ofScript,
      ...texts
        .filter(({ text, path: place }) => isTranslatable(text, place) && !Object.hasOwn(given, text))
        .map(({ path: place }) => ({
          path: place,
          message: `has no translation into \`${language}\`, so people with this language see it as it is`,
        })),
      ...Object.entries(given).flatMap(([text, translation]) => {
        const place = at + pointer([text]);
        if (lost.has(text) && !all.has(text)) return [];
        if (!all.has(text)) return [{ path: place, message: unknownText(text, defaultTexts) }];
        if (translation.trim() === '')
          return [{ path: place, message: 'is empty, so people see no text: write the translation, or delete it' }];
        if (isUrl(text)) return urlWarnings(translation, place);
        return [
          ...placeholderDifferences(text, translation),
          ...fallbacksIn(translation),
          ...amountsAndNumbers(text, translation),
          ...monthDifferences(text, translation, template.language, language),
          ...dateReasons(translation, language),
          ...notationsIn(translation),
          ...markupIn(translation),
          // That no text has a letter of the language is the cause.
          ...(ofScript.length > 0 ? [] : forgottenReasons({ text, language, own: template.language, translations })),
        ].map((message) => ({ path: place, message }));
      }),
    ];
  });
}

/** An amount can also be a number, so only one of them has a warning. */
function amountsAndNumbers(text: string, translation: string): string[] {
  const amounts = [
    ...amountDifferences(text, translation),
    ...currencyDifferences(text, translation),
    ...percentDifferences(text, translation),
  ];
  return amounts.length > 0 ? amounts.slice(0, 1) : numberDifferences(text, translation);
}

/** True for the URL of a link or a document, of which each language can have its own. */
const isUrl = (text: string): boolean => safeUrl(sampleUrl(text)) !== undefined;

type OtherTexts = {
  /** Of the default content of channels. */
  defaultTexts: ReadonlySet<string>;
  /** Of fields of the template that are not known. Their warning is the cause. */
  unknownTexts: ReadonlySet<string>;
};

export type PlacedText = { text: string; path: string };

/** Every text of the template that a page can show, with its place. */
function textsOf(template: GivenTemplate, path: string): PlacedText[] {
  const found: PlacedText[] = [];
  withTexts(
    template as never,
    (text, place) => {
      found.push({ text, path: place });
      return text;
    },
    path,
  );
  return found;
}

/** Whether the place is one of these, or in one of them. */
export const isAmong = (places: readonly string[], path: string): boolean =>
  places.some((each) => path === each || path.startsWith(`${each}/`));

/** Members that are no words: they can be translated, but need not be. */
const noWords =
  /(?:url|href|link|src|data|_id|phone|email|customclass|content_name|\/support_owner_options\/name|\/questions\/\d+\/(?:key|id))$/i;

const isTranslatable = (text: string, path: string): boolean =>
  !noWords.test(path) &&
  !(path.includes('/content_variables/') && isPlaceholderName(text)) &&
  /\p{L}/u.test(text.replaceAll(placeholder, (_, inside: string) => partsOfPlaceholder(inside).fallback ?? ''));

/** Texts that are all written in another script than that of their language. @param path of the language */
export function scriptWarnings(language: string | null, texts: readonly string[], path: string): ErrorDetail[] {
  const message = language === null || !isLanguage(language) ? undefined : otherScript(language, texts);
  return message === undefined ? [] : [{ path, message }];
}

/** The texts of a template that people read. @param path of the template */
export const wordsOf = (template: GivenTemplate, path = ''): PlacedText[] =>
  textsOf(template, path).filter((each) => isTranslatable(each.text, each.path));

const unknownText = (text: string, defaultTexts: ReadonlySet<string>): string =>
  defaultTexts.has(text)
    ? 'is not translated: the default content of a channel has one language'
    : 'has no effect, because no page shows this text: write the key exactly as the text is in the campaign';

function placeholderDifferences(text: string, translation: string): string[] {
  const [own, other] = [placeholdersIn(text), placeholdersIn(translation)];
  const missing = [...own.keys()].filter((name) => !other.has(name));
  const added = [...other.keys()].filter((name) => !own.has(name));
  const bare = [...own].flatMap(([name, hasFallback]) => (hasFallback && other.get(name) === false ? [name] : []));
  return [
    ...(missing.length > 0 ? [`has a translation without the placeholder ${listed(missing)}`] : []),
    ...(added.length > 0 ? [`has a translation with another placeholder, ${listed(added)}`] : []),
    ...(bare.length > 0 ? [`has a translation without the fallback of ${listed(bare)}`] : []),
  ];
}

/** The names of the placeholders, and whether they have a fallback. */
const placeholdersIn = (text: string): Map<string, boolean> =>
  new Map(
    [...text.matchAll(placeholder)].map(([, inside = '']) => {
      const { name, fallback } = partsOfPlaceholder(inside);
      return [`{{${name}}}`, fallback !== undefined];
    }),
  );
