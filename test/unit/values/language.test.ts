import { describe, expect, test } from 'vitest';
import { acceptedLanguages, availableLanguage, canonicalLanguage } from '../../../lib/domain/values/language.ts';

describe('the accepted languages', () => {
  test.each<[header: string | undefined, tags: string[]]>([
    [undefined, []],
    ['', []],
    ['de', ['de']],
    ['de;q=1', ['de']],
    ['fr;q=0.5, de, en;q=0.9', ['de', 'en', 'fr']],
    ['fr ; q=0.123 ,DE-at;q=1.000', ['DE-at', 'fr']],
    ['fil,zh-Hant-TW', ['fil', 'zh-Hant-TW']],
    ['de;q=0,en;q=0.000,fr;q=0.001', ['fr']],
    ['*,d,engl,de_AT,de;q=2,de;q=1.5,de;q=0.1234,de;x=1,xde fr,de-123456789', []],
  ])('of %j are %j', (header, tags) => {
    expect(acceptedLanguages(header)).toEqual(tags);
  });

  test('are read from the first thousand characters', () => {
    expect(acceptedLanguages(`${' '.repeat(996)},de,en`)).toEqual(['de']);
  });
});

test.each<[tag: string, canonical: string | undefined]>([
  ['ara', 'ar'],
  ['ces', 'cs'],
  ['deu', 'de'],
  ['eng', 'en'],
  ['fra', 'fr'],
  ['spa', 'es'],
  ['DE-at', 'de-AT'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['iw', 'he'],
  ['de_AT', undefined],
  ['d', undefined],
  ['', undefined],
])('the canonical form of the tag %j is %s', (tag, canonical) => {
  expect(canonicalLanguage(tag)).toBe(canonical);
});

describe('the available language', () => {
  test.each<[available: string[], wishes: string[], found: string | undefined]>([
    [['en', 'de'], [], undefined],
    [['en', 'de'], ['fr'], undefined],
    [['en', 'de'], ['da'], undefined],
    [['en', 'de'], ['fr', 'en'], 'en'],
    [['en', 'de-AT', 'de'], ['DE'], 'de'],
    [['en', 'de', 'de-AT'], ['de-at'], 'de-AT'],
    [['en', 'de-AT', 'de'], ['de-CH'], 'de'],
    [['en', 'de-AT', 'de-LI'], ['de-CH'], 'de-AT'],
    [['en', 'es-MX'], ['es', 'en'], 'es-MX'],
    [['en', 'pt-BR'], ['pt-PT', 'en'], 'pt-BR'],
    [['en', 'es'], ['es-419'], 'es'],
    // Codes of three letters, on either side.
    [['eng', 'ara', 'spa', 'fra', 'deu', 'ces'], ['ar'], 'ara'],
    [['eng', 'ara', 'spa', 'fra', 'deu', 'ces'], ['es-MX'], 'spa'],
    [['en', 'ar-EG'], ['ara'], 'ar-EG'],
    [['en', 'es'], ['spa-MX'], 'es'],
    [['en', 'spa-mx'], ['es'], 'spa-mx'],
    // Shorter and shorter, and never ending in a single character.
    [['en', 'zh', 'zh-Hant'], ['zh-Hant-TW'], 'zh-Hant'],
    [['en', 'zh-Hans', 'zh'], ['zh-Hant-TW'], 'zh'],
    [['en', 'de-AT', 'de'], ['de-AT-u-co-phonebk'], 'de-AT'],
    [['en', 'zh-Hant', 'zh'], ['zh-Hant-CN-x-private1'], 'zh-Hant'],
    // Tags that are not well-formed are not available and cannot be chosen.
    [['en', 'de'], ['de_AT', '', 'x', 'de'], 'de'],
    [['es_MX', 'es'], ['es-MX'], 'es'],
    [['es_MX', 'es-419'], ['es-MX'], 'es-419'],
  ])('among %j for %j is %s', (available, wishes, found) => {
    expect(availableLanguage(available, wishes)).toBe(found);
  });
});
