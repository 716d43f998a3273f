import type { OwnWords } from '../domain/campaigns/values.ts';
import { isJsonObject, type JsonValue } from '../domain/values/json.ts';
import type { JsonSchema } from '../domain/values/json-schema.ts';
import { type ErrorDetail, pointer } from '../domain/values/problem.ts';
import { similarTo } from '../domain/values/similar.ts';
import { catalogues, type Language } from '../web/words/words.ts';
import { listed } from './similar.ts';

type Message = string | { readonly [form: string]: string };

const languages = Object.keys(catalogues) as Language[];

/** The errors of words of the pages that a team or a template replaces. */
export const wordErrors = (words: OwnWords | null, path: string): ErrorDetail[] =>
  Object.entries(words ?? {}).flatMap(([language, own]) =>
    Object.hasOwn(catalogues, language)
      ? Object.entries(own).flatMap(([key, message]) =>
          messageErrors(message, key, catalogues[language as Language], path + pointer([language, key])),
        )
      : [{ path: path + pointer([language]), message: unknown('a language of the pages', language, languages) }],
  );

/** The errors of a JSON value that is not yet read as {@link OwnWords}. */
export function wordsValueErrors(value: JsonValue): ErrorDetail[] {
  const isWords = isJsonObject(value) && Object.values(value).every(isJsonObject);
  return isWords ? wordErrors(value as OwnWords, '') : [{ path: '', message: 'must be words by language and key' }];
}

function unknown(what: string, name: string, names: readonly string[]): string {
  const meant = similarTo(name, names) ?? names.find((each) => each === name.slice(0, 2).toLowerCase());
  const known = names.length < 10 ? `, which are ${listed(names)}` : '';
  return `is not ${what}${meant === undefined ? known : `: did you mean \`${meant}\`?`}`;
}

function messageErrors(own: unknown, key: string, catalogue: Readonly<Record<string, Message>>, path: string) {
  if (!Object.hasOwn(catalogue, key)) {
    return [{ path, message: unknown('a key of the words', key, Object.keys(catalogue)) }];
  }
  const word = catalogue[key]!;
  if (typeof word === 'string') return textErrors(own, word, path);
  const forms = Object.keys(word);
  const isComplete =
    isJsonObject(own as JsonValue) &&
    Object.keys(own as object)
      .sort()
      .join() === forms.sort().join();
  if (!isComplete) return [{ path, message: `must be an object with the plural forms ${listed(forms)}` }];
  const given = own as Record<string, unknown>;
  return forms.flatMap((form) => textErrors(given[form], word[form]!, path + pointer([form])));
}

function textErrors(own: unknown, word: string, path: string): ErrorDetail[] {
  if (typeof own !== 'string' || own.trim() === '') return [{ path, message: 'must be a text that is not empty' }];
  const [given, needed] = [placeholdersIn(own), placeholdersIn(word)];
  if (given.join() === needed.join()) return [];
  const what = needed.length === 0 ? 'no placeholder' : listed(needed);
  return [{ path, message: `must contain ${what}, as in "${word}"` }];
}

const placeholdersIn = (text: string): string[] => [...new Set(text.match(/\{+\w+\}+/g))].sort();

/** The words of each language, for editors. */
export const wordsSchema = (): JsonSchema => ({
  properties: Object.fromEntries(languages.map((each) => [each, { $ref: '#/$defs/words' }])),
});

export const wordsOfLanguageSchema = (): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(catalogues.en).map(([key, word]) => [
      key,
      { description: typeof word === 'string' ? word : word.other },
    ]),
  ),
});
