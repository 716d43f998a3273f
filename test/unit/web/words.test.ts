import { describe, expect, test } from 'vitest';
import {
  catalogues,
  type Language,
  languageOf,
  languageOfBrowser,
  Words,
  wordsIn,
} from '../../../lib/web/words/words.ts';

const languages = Object.keys(catalogues) as Language[];
type Message = string | Record<string, string>;
const messagesOf = (language: Language) => Object.entries(catalogues[language] as Record<string, Message>);
const formsOf = (message: Message): string[] => (typeof message === 'string' ? [message] : Object.values(message));
const placeholdersOf = (message: Message): string[] =>
  [...new Set(formsOf(message).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();
/** Texts that are the same in both languages. */
const sharedWithEnglish: { [Each in Language]?: string[] } = {
  es: ['error_title'],
  fr: ['confirmation', 'wait_minutes'],
};
const categoriesOf = (language: Language): string[] =>
  new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();

describe.each(languages)('the catalogue %s', (language) => {
  test('has the keys of the English one, in the same order', () => {
    expect(messagesOf(language).map(([key]) => key)).toEqual(Object.keys(catalogues.en));
  });

  test('has a text for every message, without white space around it', () => {
    for (const [key, message] of messagesOf(language)) {
      for (const form of formsOf(message)) expect([key, form]).toEqual([key, form.trim() || 'a text']);
    }
  });

  test('has the placeholders of the English one in every message', () => {
    for (const [key, message] of messagesOf(language)) {
      const english = (catalogues.en as Record<string, Message>)[key]!;
      expect([key, placeholdersOf(message)]).toEqual([key, placeholdersOf(english)]);
    }
  });

  test('has every plural form of its language, and no other', () => {
    const plurals = messagesOf(language).filter(([, message]) => typeof message !== 'string');
    expect(plurals.map(([key]) => key)).toEqual(['progress', 'wait_minutes', 'wait_hours']);
    for (const [, forms] of plurals) expect(Object.keys(forms).sort()).toEqual(categoriesOf(language));
  });
});

test.each(languages.filter((each) => each !== 'en'))(
  'the catalogue %s repeats nothing of the English one',
  (language) => {
    const repeated = messagesOf(language).filter(([key, message]) => {
      const english = formsOf((catalogues.en as Record<string, Message>)[key]!);
      return formsOf(message).some((form) => english.includes(form));
    });
    expect(repeated.map(([key]) => key)).toEqual(sharedWithEnglish[language] ?? []);
  },
);

test('Arabic has six plural forms', () => {
  expect(categoriesOf('ar')).toHaveLength(6);
});

describe('the words', () => {
  test.each([
    [null, 'en', 'en'],
    ['en-GB', 'en-GB', 'en'],
    ['de-AT', 'de-AT', 'de'],
    ['fr-CA', 'fr-CA', 'fr'],
    ['ar-EG', 'ar-EG', 'ar'],
    ['es-419', 'es-419', 'es'],
    ['pl', 'en', 'en'],
    ['zh-Hant-TW', 'en', 'en'],
    ['und', 'en', 'en'],
  ] as const)('of %s are tagged %s and come from %s', (tag, tagged, language) => {
    const words = wordsIn(tag);
    expect([words.tag, words.text('journey')]).toEqual([tagged, catalogues[language].journey]);
    expect(words.direction).toBe(language === 'ar' ? 'rtl' : 'ltr');
  });

  test('know no language by the name of a property', () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      expect(languageOfBrowser(name)).toBeNull();
    }
    expect(languageOf('mul')).toBeUndefined();
  });

  test.each([
    ['en', 1, 'a minute'],
    ['en', 15, '15 minutes'],
    ['de', 1, 'einer Minute'],
    ['fr', 15, '15 minutes'],
    ['es', 2, '2 minutos'],
    ['cs', 1, 'minutu'],
    ['cs', 3, '3 minuty'],
    ['cs', 15, '15 minut'],
    ['ar', 1, 'دقيقة واحدة'],
    ['ar', 2, 'دقيقتين'],
    ['ar', 5, '\u20685\u2069 دقائق'],
    ['ar', 15, '\u206815\u2069 دقيقة'],
    ['ar-EG', 15, '\u2068١٥\u2069 دقيقة'],
  ])('of %s count %i minutes as %s', (tag, minutes, said) => {
    expect(wordsIn(tag).plural('wait_minutes', minutes)).toBe(said);
  });

  test.each([2, 3, 4, 6, 7, 8, 14, 16, 100])(
    'in Czech need no other preposition before %i: "ze tří", but "z osmi"',
    (number) => {
      const count = `${number}`;
      const words = wordsIn('cs');
      expect(words.text('step_at', { at: '1', count, title: 'T' })).toBe(`Krok 1 z celkem ${count}: T`);
      expect(words.plural('progress', number, { done: '1' })).toBe(`Dokončeno 1 z celkem ${count} kroků`);
    },
  );

  test.each([
    ['ara', 'ar', 'rtl'],
    ['ES', 'es', 'ltr'],
    ['DE-at', 'de-AT', 'ltr'],
    ['fra', 'fr', 'ltr'],
  ])('of %s have the tag %s of HTML', (tag, canonical, direction) => {
    expect(wordsIn(tag)).toMatchObject({ tag: canonical, direction });
  });

  test('write numbers and dates as the language does', () => {
    expect(wordsIn('en').percent(0.25)).toBe('25%');
    expect(wordsIn('de').percent(0.25)).toBe('25\u00a0%');
    expect(wordsIn('ar-EG').number(12)).toBe('١٢');
    expect(wordsIn('de').date('2026-03-27T09:05:00Z')).toBe('27. März 2026');
    expect(wordsIn('en').dateOrder).toEqual(['month', 'day', 'year']);
    for (const tag of ['en-GB', 'es', 'fr', 'de', 'cs', 'ar']) {
      expect(wordsIn(tag).dateOrder).toEqual(['day', 'month', 'year']);
    }
    expect(wordsIn('hu').dateOrder).toEqual(['month', 'day', 'year']);
  });

  test('put a value in once, whatever it holds', () => {
    expect(wordsIn('en').text('next', { title: '{title} $& {count}' })).toBe('Next: {title} $& {count}');
    expect(wordsIn('en').parts('identity_paused', { wait: '{wait}' }).join('')).toMatch(/again in \{wait\}\.$/);
  });

  test('keep text of another direction apart', () => {
    expect(new Words('ar', 'ar').text('next', { title: 'Welcome!' })).toBe('التالي: \u2068Welcome!\u2069');
  });
});

describe('the language of a browser', () => {
  test.each([
    [undefined, null],
    ['', null],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['pl,cs;q=0.8,en;q=0.5', 'cs'],
    ['en;q=0.5, ar-EG', 'ar'],
    ['ES-mx', 'es'],
    ['fr;q=0', null],
    ['*', null],
    ['pl', null],
    ['x-klingon, ;;;, de;q=2, fr;q=abc, es ; q=0.3', 'es'],
    [`${'a'.repeat(100_000)},de`, null],
  ])('%s is %s', (header, language) => {
    expect(languageOfBrowser(header)).toBe(language);
  });
});
