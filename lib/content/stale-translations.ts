import type { StoredTemplate } from '../domain/campaigns/document.ts';
import type { Translations } from '../domain/campaigns/values.ts';
import { textChanges } from './content-changes.ts';

/**
 * A translation is stale if it was made from another text than the present one. `translated_from` of its template names
 * that text. An entry that names the present text says that the translation was looked at since.
 */

type Translated = { translations: Translations | null; translated_from?: Translations | null };

/** The text that the translation was made from; `undefined` if it is the present one. */
export function staleSource({ translations, translated_from }: Translated, language: string, text: string) {
  const from = ownOf(translated_from, language, text);
  return from === text || ownOf(translations, language, text) === undefined ? undefined : from;
}

/** The column of `content texts --csv` with the texts of which translations are. To empty a cell says that one is still right. */
export const sourceColumn = (language: string): string => `${language} translated from`;

export const ownOf = (all: Translations | null | undefined, language: string, text: string): string | undefined => {
  const texts = all && Object.hasOwn(all, language) ? all[language]! : {};
  return Object.hasOwn(texts, text) ? texts[text] : undefined;
};

/**
 * The template of an import with what its stale translations were made from. A translation that stays the same while its
 * text becomes another one is stale, and remains so until it changes.
 */
export function withStaleTranslations(given: StoredTemplate, stored: StoredTemplate | undefined): StoredTemplate {
  const { translations } = given;
  if (!translations) return { ...given, translated_from: null };
  const changes = stored ? textChanges(stored, given) : [];
  const earlier = Map.groupBy(changes, ({ to }) => to);
  const sourceOf = (language: string, text: string, translation: string): string | undefined => {
    const named = ownOf(given.translated_from, language, text);
    if (named !== undefined || !stored) return named;
    const before = ownOf(stored.translations, language, text);
    if (before !== undefined) return before === translation ? staleSource(stored, language, text) : undefined;
    const changed = earlier.get(text)?.find(({ from }) => ownOf(stored.translations, language, from) === translation);
    return changed && (staleSource(stored, language, changed.from) ?? changed.from);
  };
  const languages = Object.entries(translations).flatMap(([language, texts]) => {
    const stale = Object.entries(texts).flatMap(([text, translation]) => {
      const from = sourceOf(language, text, translation);
      return from === undefined || from === text ? [] : [[text, from] as const];
    });
    return stale.length === 0 ? [] : [[language, Object.fromEntries(stale)] as const];
  });
  return { ...given, translated_from: languages.length === 0 ? null : Object.fromEntries(languages) };
}
