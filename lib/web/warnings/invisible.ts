/** Characters that nobody sees, such as those that come with a text that is copied from another program. */
export const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;

/** The text without them. */
export const withoutInvisible = (text: string): string => text.replaceAll(new RegExp(invisible, 'g'), '');

/** Texts that people cannot tell apart are the same in this form. */
export const comparable = (text: string): string => withoutInvisible(text).replaceAll(/\s+/g, ' ').trim().toLowerCase();

/**
 * Characters in a word that nobody sees, and those that turn the direction. A space without width is between the words
 * of languages without spaces. Arabic and Hebrew texts can mark the direction of a part, but not turn its letters.
 */
const spaced =
  '[^\\s\\p{sc=Thai}\\p{sc=Khmer}\\p{sc=Lao}\\p{sc=Myanmar}\\p{sc=Tibetan}\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}]';
const inWord = new RegExp(`(?<=${spaced})[\\u200b\\ufeff](?=${spaced})`, 'u');
const turned = /[\u202d\u202e]/;
const marked = /[\u202a-\u202c]/;
const fromRight = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;

/** What is to be said of the first such character of a text. */
export function invisibleIn(text: string): string[] {
  const found = turned.exec(text) ?? (fromRight.test(text) ? null : marked.exec(text)) ?? inWord.exec(text);
  if (!found) return [];
  const code = found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  const before = withoutInvisible(text.slice(0, found.index)).trim().slice(-20);
  const place = before === '' ? 'at its beginning' : `after "${before}"`;
  return [`has the invisible character U+${code} ${place}: delete the text and type it again`];
}
