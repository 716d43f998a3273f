import { listed, shortened } from '../../lib/content/similar.ts';
import { sourceColumn, staleSource } from '../../lib/content/stale-translations.ts';
import { withTexts } from '../../lib/domain/campaigns/translate.ts';
import { linksIn } from '../../lib/domain/journeys/markup.ts';
import { partsOfPlaceholder, placeholder } from '../../lib/domain/journeys/placeholders.ts';
import { type ErrorDetail, pointer } from '../../lib/domain/values/problem.ts';
import { safeUrl } from '../../lib/web/links.ts';
import { languageOf } from '../../lib/web/words/words.ts';
import { linkWarnings, sampleUrl, urlWarnings } from './addresses.ts';
import type { GivenTemplate } from './given.ts';
import { isPlaceholderName } from './placeholders.ts';

/** The `language` of a template, if it does not exist or if the pages have no words in it. */
export function languageWarnings(tag: string | null, path: string): ErrorDetail[] {
  if (tag === null || languageOf(tag) !== undefined) return [];
  const isLanguage = languageNames.of(new Intl.Locale(tag).language) !== undefined;
  const message = isLanguage
    ? 'is a language for which the service has no words: buttons and notices of the pages are in English'
    : 'is not the code of a language: write a code such as en, es or de-AT';
  return [{ path, message }];
}

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/**
 * What is missing in the translations of a template, contradicts its texts, or has no effect.
 */
export function translationWarnings(template: GivenTemplate, path: string): ErrorDetail[] {
  const translations = template.translations ?? {};
  const texts = textsOf(template, path);
  const shown = new Set(texts.map(({ text }) => text));
  return Object.entries(translations).flatMap(([language, given]) => {
    const at = `${path}/translations${pointer([language])}`;
    const missing = texts.filter(({ text, path: place }) => isTranslatable(text, place) && !Object.hasOwn(given, text));
    return [
      ...languageWarnings(language, at),
      ...missingWarnings(missing, language, at),
      ...Object.entries(given).flatMap(([text, translation]) => {
        const place = at + pointer([text]);
        if (!shown.has(text)) return [{ path: place, message: unknownText }];
        if (safeUrl(sampleUrl(text)) !== undefined) return urlWarnings(translation, place);
        const reasons = [
          ...textReasons(text, translation),
          ...staleReasons(staleSource(template, language, text), language),
        ];
        const links = linksIn(text).length > 0 ? linksIn(translation) : [];
        return [
          ...reasons.map((message) => ({ path: place, message })),
          ...links.flatMap((url) => linkWarnings(url, place)),
        ];
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

const unknownText =
  'has no effect, because no page shows this text: write the key exactly as the text is in the campaign';

const damaged =
  'has a translation with the character \ufffd, which replaces one that could not be read: write it again';

/** How a translation differs from its text. */
function textReasons(text: string, translation: string): string[] {
  if (translation.trim() === '') return ['is empty, so people see no text: write the translation, or delete it'];
  const isDamaged = translation.includes('\ufffd') && !text.includes('\ufffd');
  return [...placeholderDifferences(text, translation), ...(isDamaged ? [damaged] : [])];
}

const staleReasons = (from: string | undefined, language: string): string[] =>
  from === undefined
    ? []
    : [
        `has a translation of the earlier text ${JSON.stringify(shortened(from, 80))}: change it, or, if it is still right, run \`content export\`, then \`content texts FILE --csv\` with the exported file, empty its cell in the column \`${sourceColumn(language)}\` and apply the list`,
      ];

export function placeholderDifferences(text: string, translation: string): string[] {
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
export function textsOf(template: GivenTemplate, path: string): PlacedText[] {
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
