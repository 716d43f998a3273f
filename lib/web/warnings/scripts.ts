import { listed } from '../../domain/content/similar.ts';

/** The scripts that languages are written in, with the Unicode scripts of their letters. */
const letters: Readonly<Record<string, RegExp>> = {
  Arab: /\p{Script=Arabic}/u,
  Armn: /\p{Script=Armenian}/u,
  Beng: /\p{Script=Bengali}/u,
  Cyrl: /\p{Script=Cyrillic}/u,
  Deva: /\p{Script=Devanagari}/u,
  Geor: /\p{Script=Georgian}/u,
  Grek: /\p{Script=Greek}/u,
  Hans: /\p{Script=Han}/u,
  Hant: /\p{Script=Han}/u,
  Hebr: /\p{Script=Hebrew}/u,
  Jpan: /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u,
  Kore: /\p{Script=Hangul}/u,
  Latn: /\p{Script=Latin}/u,
  Thai: /\p{Script=Thai}/u,
};

/** A letter of the script of the language. `undefined` if the script is not known here. */
export const scriptOf = (language: string): RegExp | undefined =>
  letters[new Intl.Locale(language).maximize().script ?? ''];

/** Characters of texts that are more than a name. */
const shortest = 20;

/** What is to be said of texts of a language of which none has a letter of its script. */
export function otherScript(language: string, texts: readonly string[]): string | undefined {
  const own = scriptOf(language);
  const words = texts.map((text) => text.replaceAll(/\{\{[^{}]*\}\}/g, '')).filter((text) => /\p{L}/u.test(text));
  if (!own || words.join('').length < shortest || words.some((text) => own.test(text))) return undefined;
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language;
  return `is the code of ${name}, but no text has a letter of that language: is it the right code for ${listed([words[0]!.trim()])}?`;
}
