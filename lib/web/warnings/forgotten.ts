import { scriptOf } from './scripts.ts';

/** A text of a template with its translation into a language. */
type Translated = {
  text: string;
  language: string;
  /** The language of the template. */
  own: string | null;
  /** All translations, by language and text. */
  translations: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/** Why a translation is probably not written yet. */
export function forgottenReasons({ text, language, own, translations }: Translated): string[] {
  const translation = translations[language]?.[text] ?? '';
  const words = wordsOf(translation);
  if (isLong(words) && !isListOfNames(translation)) {
    const isSame = (other: string) => other.trim() === translation.trim();
    if (isSame(text) && isOther(language, own ?? 'en')) {
      return [`is the same as the text: write it in \`${language}\`, or delete it`];
    }
    const languages = Object.keys(translations);
    const earlier = languages.slice(0, languages.indexOf(language)).filter((each) => isOther(language, each));
    const twin = earlier.find((each) => isSame(translations[each]?.[text] ?? ''));
    if (twin !== undefined) return [`is the same as the translation into \`${twin}\`: write it in \`${language}\``];
  }
  const script = scriptOf(language);
  if (!script || words.filter(isNoName).length < 2 || words.some((each) => script.test(each))) return [];
  return [`has no letter of the language \`${language}\`: write the translation, or delete it`];
}

/** The words of a text that are not part of a placeholder or an address. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/\{\{[^{}]*\}\}/g, ' ')
    .split(/\s+/)
    .filter((part) => !/@|:\/\/|\.\p{L}/u.test(part))
    .flatMap((part) => part.match(/\p{L}[\p{L}\p{M}'’-]+/gu) ?? []);

/** Names of products and institutions have a capital letter. */
const isNoName = (word: string): boolean => !/^\p{Lu}/u.test(word);

/** True for a text that is longer than a name. */
const isLong = (words: readonly string[]): boolean =>
  words.length >= 6 || (words.length >= 4 && words.filter(isNoName).length >= 3);

/** Names of at most three words with signs between them, such as `Apple Pay, Google Pay, Visa, Mastercard`. */
function isListOfNames(text: string): boolean {
  const parts = text.split(/[,;/|·•&+\n]/).map((part) => part.trim().replace(/[.:]$/, ''));
  const isName = (part: string) => {
    const words = wordsOf(part);
    return words.length <= 3 && !words.some(isNoName);
  };
  return parts.every(isName);
}

/** The codes of Norwegian, whose texts can be equal. */
const norwegian = ['no', 'nb', 'nn'];

function isOther(a: string, b: string): boolean {
  const [one, other] = [a, b].map((tag) => new Intl.Locale(tag).language) as [string, string];
  return one !== other && !(norwegian.includes(one) && norwegian.includes(other));
}
