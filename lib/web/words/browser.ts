import { type Language, languageOf } from './words.ts';

/** A language range with its weight (RFC 9110, section 12.5.4). */
const range = /^([a-z]{2,3}(?:-[a-z0-9]{1,8})*)(?:\s*;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/** The language with a catalogue that the browser prefers most. `null` if it accepts none of them. */
export function languageOfBrowser(acceptLanguage: string | undefined): Language | null {
  const asked = (acceptLanguage ?? '').slice(0, longest).split(',').flatMap(weighted);
  const [first] = asked.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return first?.language ?? null;
}

/** Maximum number of characters that are read. No browser sends a longer header. */
const longest = 1000;

function weighted(text: string): { language: Language; weight: number }[] {
  const [, tag, weight = '1'] = range.exec(text.trim()) ?? [];
  const language = tag === undefined ? undefined : languageOf(tag.split('-')[0]!);
  return language === undefined ? [] : [{ language, weight: Number(weight) }];
}
