import type { GivenDocument } from '../../domain/content/document.ts';
import { listed } from '../../domain/content/similar.ts';
import { withTexts } from '../../domain/content/translate.ts';
import { type ErrorDetail, pointer } from '../../domain/problem.ts';
import { languageOf } from '../words/words.ts';

type GivenTemplate = GivenDocument['templates'][number];

/**
 * What is missing in the translations of a template, or has no effect.
 * @param unread places of the template of which a page shows nothing
 * @param defaultTexts texts of the default content of channels
 */
export function translationWarnings(
  template: GivenTemplate,
  path: string,
  unread: readonly string[],
  defaultTexts: ReadonlySet<string>,
): ErrorDetail[] {
  const { translations } = template;
  if (translations === null) return [];
  const isUnread = (place: string) => unread.some((each) => place === each || place.startsWith(`${each}/`));
  const texts = textsOf(template, path).filter((each) => !isUnread(each.path));
  const all = new Set(texts.map(({ text }) => text));
  return Object.entries(translations).flatMap(([language, given]) => {
    const at = `${path}/translations${pointer([language])}`;
    return [
      ...languageWarnings(language, at),
      ...texts
        .filter(({ text, path: place }) => isTranslatable(text, place) && !Object.hasOwn(given, text))
        .map(({ path: place }) => ({ path: place, message: `has no translation into ${language}` })),
      ...Object.entries(given).flatMap(([text, translation]) => {
        const place = at + pointer([text]);
        if (!all.has(text)) return [{ path: place, message: unknownText(text, defaultTexts) }];
        if (translation.trim() === '') return [{ path: place, message: 'is empty' }];
        return placeholderDifferences(text, translation).map((message) => ({ path: place, message }));
      }),
    ];
  });
}

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

/** Members that are no words: they can be translated, but need not be. */
const noWords = /(?:url|href|link|src|data|_id|phone|email|customclass|content_name)$/i;

const isTranslatable = (text: string, path: string): boolean =>
  !noWords.test(path) && /\p{L}/u.test(text.replaceAll(/\{\{[^{}]*\}\}/g, ''));

const unknownText = (text: string, defaultTexts: ReadonlySet<string>): string =>
  defaultTexts.has(text)
    ? 'is not translated: the default content of a channel has one language'
    : 'is not a text of the template that a page shows';

function placeholderDifferences(text: string, translation: string): string[] {
  const [own, other] = [namesIn(text), namesIn(translation)];
  const missing = [...own].filter((name) => !other.has(name));
  const added = [...other].filter((name) => !own.has(name));
  return [
    ...(missing.length > 0 ? [`has a translation without the placeholder ${listed(missing)}`] : []),
    ...(added.length > 0 ? [`has a translation with another placeholder, ${listed(added)}`] : []),
  ];
}

const namesIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map(([, name]) => `{{${name}}}`));

/** A tag whose language does not exist, or whose words the pages do not have. */
export function languageWarnings(tag: string | null, path: string): ErrorDetail[] {
  if (tag === null || languageOf(tag) !== undefined) return [];
  const isKnown = names.of(new Intl.Locale(tag).language) !== undefined;
  const message = isKnown
    ? 'is a language that the pages are not translated into: their own words are English'
    : 'is not the code of a language, so the words of the pages are English: write a code such as en, es or de-AT';
  return [{ path, message }];
}

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
