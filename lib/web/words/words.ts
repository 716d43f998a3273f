import type { OwnWords } from '../../domain/campaigns/values.ts';
import { type Direction, isolated } from '../../domain/values/direction.ts';
import { acceptedLanguages } from '../../domain/values/language.ts';
import { timeZoneFor } from '../../domain/values/timestamp.ts';
import type { Child } from '../html.ts';
import ar from './ar.json' with { type: 'json' };
import cs from './cs.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };

type English = typeof en;
type PluralForms = { readonly other: string } & { readonly [Form in Intl.LDMLPluralRule]?: string };

/** The words of one language, with the keys of the English catalogue. A message with a number has plural forms. */
type Catalogue = { readonly [Key in keyof English]: English[Key] extends string ? string : PluralForms };

type KeysOf<Message> = { [Key in keyof English]: English[Key] extends Message ? Key : never }[keyof English];
export type TextKey = KeysOf<string>;
export type PluralKey = KeysOf<object>;

/** A catalogue with a missing key does not compile. */
export const catalogues = { en, es, fr, de, cs, ar } satisfies Record<string, Catalogue>;
export type Language = keyof typeof catalogues;

const rightToLeft: readonly Language[] = ['ar'];

/** The catalogue for a language tag. `de-AT` uses `de`. Undefined if there is none. */
export function languageOf(tag: string): Language | undefined {
  const { language } = new Intl.Locale(tag);
  return Object.hasOwn(catalogues, language) ? (language as Language) : undefined;
}

/**
 * @param tag well-formed BCP 47, such as `es`, `ES` or `spa`. English if it is `null` or has no catalogue.
 * @param timeZones of the contact and the team: the first that is an IANA name counts
 */
export function wordsIn(tag: string | null, ...timeZones: readonly (string | null | undefined)[]): Words {
  const timeZone = timeZoneFor(...timeZones);
  const language = tag === null ? undefined : languageOf(tag);
  return language === undefined
    ? new Words('en', 'en', timeZone)
    : new Words(language, Intl.getCanonicalLocales(tag!)[0]!, timeZone);
}

type DatePart = 'day' | 'month' | 'year';

/** The pages' own words in one language, with its direction and its formats of numbers and dates. */
export class Words {
  /** BCP 47 in its canonical form. Also determines the formats of numbers and dates. */
  readonly tag: string;
  readonly direction: Direction;
  readonly #catalogue: Catalogue;
  readonly #numbers: Intl.NumberFormat;
  readonly #language: Language;
  readonly #timeZone: string | undefined;

  constructor(language: Language, tag: string, timeZone?: string, catalogue: Catalogue = catalogues[language]) {
    this.tag = tag;
    this.direction = rightToLeft.includes(language) ? 'rtl' : 'ltr';
    this.#catalogue = catalogue;
    this.#language = language;
    this.#numbers = new Intl.NumberFormat(tag, { useGrouping: false });
    this.#timeZone = timeZone;
  }

  /** The same with the words of the team and the template, of which later ones count. */
  with(...own: readonly (OwnWords | null | undefined)[]): Words {
    const catalogue = { ...this.#catalogue };
    for (const each of own) Object.assign(catalogue, each?.[this.#language]);
    return new Words(this.#language, this.tag, this.#timeZone, catalogue);
  }

  text(key: TextKey, values: Readonly<Record<string, string>> = {}): string {
    return this.#filled(this.#catalogue[key], values);
  }

  /** The plural form of the message for `count`, which replaces `{count}`. */
  plural(key: PluralKey, count: number, values: Readonly<Record<string, string>> = {}): string {
    const forms: PluralForms = this.#catalogue[key];
    const form = forms[new Intl.PluralRules(this.tag).select(count)] ?? forms.other;
    return this.#filled(form, { count: this.number(count), ...values });
  }

  /** The message as children of a template, so that its values can be HTML. */
  parts(key: TextKey, values: Readonly<Record<string, Child>>): Child[] {
    const pieces = this.#catalogue[key].split(placeholder);
    return pieces.map((piece, at) => (at % 2 === 0 ? piece : (values[piece] ?? '')));
  }

  number(value: number): string {
    return this.#numbers.format(value);
  }

  /** The date of a time in ISO 8601, in the time zone of the contact or the team. A date without a time is the same everywhere. */
  date(at: string): string {
    const timeZone = (at.includes('T') && this.#timeZone) || 'UTC';
    const options = { dateStyle: 'long', timeZone, calendar: 'gregory' } as const;
    return new Intl.DateTimeFormat(this.tag, options).format(new Date(at));
  }

  /** The same with the time of day and the name of the time zone. The date alone if no zone of the person is known. */
  dateTime(at: string): string {
    if (!at.includes('T') || this.#timeZone === undefined) return this.date(at);
    const day = { day: 'numeric', month: 'long', year: 'numeric', calendar: 'gregory' } as const;
    const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
    const options = { ...day, ...time, timeZone: this.#timeZone };
    return new Intl.DateTimeFormat(this.tag, options).format(new Date(at));
  }

  percent(share: number): string {
    return new Intl.NumberFormat(this.tag, { style: 'percent' }).format(share);
  }

  /** The order of the parts of a date. */
  get dateOrder(): DatePart[] {
    const parts = new Intl.DateTimeFormat(this.tag, { calendar: 'gregory' }).formatToParts(0);
    return parts.map(({ type }) => type).filter((type) => type === 'day' || type === 'month' || type === 'year');
  }

  /** Isolates inserted values, because a value with another direction must not change the order of the other words. */
  #filled(message: string, values: Readonly<Record<string, string>>): string {
    return message.replace(placeholder, (_, name: string) => isolated(values[name] ?? '', this.direction));
  }
}

const placeholder = /\{(\w+)\}/g;

/** The language with a catalogue that the browser prefers most. `null` if it accepts none of them. */
export function languageOfBrowser(acceptLanguage: string | undefined): Language | null {
  const [first] = acceptedLanguages(acceptLanguage).flatMap((tag) => languageOf(tag.split('-')[0]!) ?? []);
  return first ?? null;
}
