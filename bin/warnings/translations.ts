import { withTexts } from '../../lib/domain/content/translate.ts';
import { canonicalLanguage } from '../../lib/domain/language.ts';
import { partsOfPlaceholder, placeholder } from '../../lib/domain/placeholders.ts';
import { type ErrorDetail, pointer } from '../../lib/domain/problem.ts';
import { safeUrl } from '../../lib/web/links.ts';
import { languageOf } from '../../lib/web/words/words.ts';
import { isPlaceholderName } from '../content/placeholder-names.ts';
import { listed } from '../content/similar.ts';
import { sampleUrl, urlWarnings } from './addresses.ts';
import { amountDifferences } from './amounts.ts';
import { dateReasons } from './dates.ts';
import type { GivenTemplate } from './given.ts';

/** The `language` of a template, if it does not exist or if the pages have no words in it. */
export function languageWarnings(tag: string | null, path: string): ErrorDetail[] {
  if (tag === null || languageOf(tag) !== undefined) return [];
  const message = isLanguage(tag)
    ? 'is a language for which the service has no words: buttons and notices of the pages are in English'
    : 'is not the code of a language, so buttons and notices of the pages are in English: write a code such as en, es or de-AT';
  return [{ path, message }];
}

const isLanguage = (tag: string): boolean => languageNames.of(new Intl.Locale(tag).language) !== undefined;
const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/**
 * What is missing in the translations of a template, contradicts its texts, or has no effect.
 * @param unread places of the template of which a page shows nothing
 * @param unknownTexts texts of fields that are not known. Their warning is the cause
 */
export function translationWarnings(
  template: GivenTemplate,
  path: string,
  unread: readonly string[],
  unknownTexts: ReadonlySet<string>,
): ErrorDetail[] {
  const translations = template.translations ?? {};
  const { false: texts = [], true: unreadTexts = [] } = Object.groupBy(textsOf(template, path), (each) =>
    isAmong(unread, each.path) ? 'true' : 'false',
  );
  const shown = new Set(texts.map(({ text }) => text));
  // The warning of the place of the text is the cause.
  const lost = unknownTexts.union(new Set(unreadTexts.map(({ text }) => text)));
  return Object.entries(translations).flatMap(([language, given]) => {
    const at = `${path}/translations${pointer([language])}`;
    const unused = reasonUnused(language, Object.keys(translations));
    if (unused !== undefined) return [{ path: at, message: unused }];
    const missing = texts.filter(({ text, path: place }) => isTranslatable(text, place) && !Object.hasOwn(given, text));
    return [
      ...languageWarnings(language, at),
      ...missingWarnings(missing, language, at),
      ...Object.entries(given).flatMap(([text, translation]) => {
        const place = at + pointer([text]);
        if (!shown.has(text)) return lost.has(text) ? [] : [{ path: place, message: unknownText }];
        if (safeUrl(sampleUrl(text)) !== undefined) return urlWarnings(translation, place);
        return textReasons(text, translation, language).map((message) => ({ path: place, message }));
      }),
    ];
  });
}

/** Texts without a translation that are named one by one. */
const mostNamed = 5;

/** @param at the translations into the language */
function missingWarnings(missing: readonly PlacedText[], language: string, at: string): ErrorDetail[] {
  if (missing.length > mostNamed) {
    const list = `\`content texts FILE --csv --language ${language}\` lists them`;
    return [
      { path: at, message: `lacks ${missing.length} texts, which people with this language see as they are: ${list}` },
    ];
  }
  const message = `has no translation into \`${language}\`, so people with this language see it as it is`;
  return missing.map(({ path }) => ({ path, message }));
}

function reasonUnused(language: string, languages: readonly string[]): string | undefined {
  const same = languages.find((each) => canonicalLanguage(each) === canonicalLanguage(language));
  if (same !== undefined && same !== language) {
    return `is not used: it is the same language as \`${same}\`. Write the texts of both into one`;
  }
  return isLanguage(language) ? undefined : 'is not the code of a language, so no browser asks for these texts';
}

const unknownText =
  'has no effect, because no page shows this text: write the key exactly as the text is in the campaign';

/** How a translation differs from its text. */
function textReasons(text: string, translation: string, language: string): string[] {
  if (translation.trim() === '') return ['is empty, so people see no text: write the translation, or delete it'];
  return [
    ...placeholderDifferences(text, translation),
    ...amountDifferences(text, translation),
    ...dateReasons(translation, language),
  ];
}

function placeholderDifferences(text: string, translation: string): string[] {
  const [own, other] = [placeholdersIn(text), placeholdersIn(translation)];
  const [missing, added] = [own.difference(other), other.difference(own)];
  return [
    ...(missing.size > 0 ? [`has a translation without the placeholder ${listed([...missing])}`] : []),
    ...(added.size > 0 ? [`has a translation with another placeholder, ${listed([...added])}`] : []),
  ];
}

const placeholdersIn = (text: string): Set<string> =>
  new Set([...text.matchAll(placeholder)].map(([, inside = '']) => `{{${partsOfPlaceholder(inside).name}}}`));

type PlacedText = { text: string; path: string };

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
  /(?:url|href|link|src|data|_id|image|phone|email|customclass|content_name|questions\/\d+\/type|\/support_owner_options\/name)$/i;

const isTranslatable = (text: string, path: string): boolean =>
  !noWords.test(path) &&
  !(path.includes('/content_variables/') && isPlaceholderName(text)) &&
  /\p{L}/u.test(text.replaceAll(placeholder, (_, inside: string) => partsOfPlaceholder(inside).fallback ?? ''));

/** The texts of a template that people read. @param path of the template */
export const wordsOf = (template: GivenTemplate, path: string): PlacedText[] =>
  textsOf(template, path).filter((each) => isTranslatable(each.text, each.path));
