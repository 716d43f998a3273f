import { acceptedLanguages } from '../../domain/values/language.ts';
import { type Language, languageOf } from './words.ts';

/** The language with a catalogue that the browser prefers most. `null` if it accepts none of them. */
export function languageOfBrowser(acceptLanguage: string | undefined): Language | null {
  const [first] = acceptedLanguages(acceptLanguage).flatMap((tag) => languageOf(tag.split('-')[0]!) ?? []);
  return first ?? null;
}
