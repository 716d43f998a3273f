import type { ErrorDetail } from '../../domain/problem.ts';
import { catalogues, languageOf } from '../words/words.ts';

/** The `language` of a template, if it does not exist or if the pages have no words in it. */
export function languageWarnings(tag: string | null, path: string): ErrorDetail[] {
  if (tag === null || languageOf(tag) !== undefined) return [];
  const message = isLanguage(tag)
    ? `is a language for which the service has no words: buttons and notices of the pages are in English${rareHint(tag)}`
    : `is not the code of a language, so buttons and notices of the pages are in English: ${codeFor(tag)}`;
  return [{ path, message }];
}

export const isLanguage = (tag: string): boolean => names.of(new Intl.Locale(tag).language) !== undefined;

/** The code of a language of the pages that is written as its name, or as the code of a country. */
export function codeFor(name: string): string {
  const codes = Object.keys(catalogues);
  const meant = codes.find((code) => namesOf(code).includes(name.toLowerCase())) ?? languageOfCountry(name);
  return meant === undefined ? 'write a code such as en, es or de-AT' : `did you mean \`${meant}\`?`;
}

/** The names of a language, in English and in itself. */
const namesOf = (code: string): (string | undefined)[] =>
  ['en', code].map((language) => new Intl.DisplayNames(language, { type: 'language' }).of(code)?.toLowerCase());

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** The language that most people speak in a country. With the country, if the language is that of another one first. */
function languageOfCountry(code: string): string | undefined {
  if (!/^[a-z]{2}$/i.test(code) || countries.of(code.toUpperCase()) === undefined) return undefined;
  const { language, region } = new Intl.Locale(`und-${code}`).maximize();
  return new Intl.Locale(language).maximize().region === region ? language : `${language}-${region}`;
}

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Codes of languages with few speakers that are also those of countries. */
const rare: ReadonlySet<string> = new Set(['br', 'ee', 'kr', 'se']);

const rareHint = (tag: string): string =>
  rare.has(tag.toLowerCase()) ? `. It is ${names.of(tag)}: did you mean \`${languageOfCountry(tag)}\`?` : '';
