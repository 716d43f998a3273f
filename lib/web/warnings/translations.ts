import type { GivenDocument } from '../../domain/content/document.ts';
import { withTexts } from '../../domain/content/translate.ts';
import { type ErrorDetail, pointer } from '../../domain/problem.ts';
import { languageOf } from '../words/words.ts';

type GivenTemplate = GivenDocument['templates'][number];

/** What is missing in the translations of a template, or has no effect. */
export function translationWarnings(template: GivenTemplate, path: string): ErrorDetail[] {
  const { translations } = template;
  if (translations === null) return [];
  const texts = textsOf(template, path);
  const all = new Set(texts.map(({ text }) => text));
  return Object.entries(translations).flatMap(([language, given]) => {
    const at = `${path}/translations${pointer([language])}`;
    return [
      ...(languageOf(language) === undefined
        ? [{ path: at, message: 'is a language without words: its pages use English' }]
        : []),
      ...texts
        .filter(({ text, path: place }) => isTranslatable(text, place) && !Object.hasOwn(given, text))
        .map(({ path: place }) => ({ path: place, message: `has no translation into ${language}` })),
      ...Object.entries(given).flatMap(([text, translation]) => {
        const place = at + pointer([text]);
        if (!all.has(text)) return [{ path: place, message: 'is not a text of the template' }];
        const isSame = namesIn(text) === namesIn(translation);
        return isSame ? [] : [{ path: place, message: 'has other placeholders than its translation' }];
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

const namesIn = (text: string): string =>
  [...new Set([...text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map(([, name]) => name))].sort().join();
