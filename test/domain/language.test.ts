import { describe, expect, test } from 'vitest';
import { acceptedLanguages, availableLanguage } from '../../lib/domain/language.ts';

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

describe('the available language', () => {
  const available = ['en', 'de-AT', 'de', 'pt-BR'];
  test.each<[wishes: string[], found: string | undefined]>([
    [[], undefined],
    [['fr'], undefined],
    [['da'], undefined],
    [['fr', 'en'], 'en'],
    [['DE'], 'de'],
    [['de-at'], 'de-AT'],
    [['de-CH'], 'de-AT'],
    [['pt'], 'pt-BR'],
    [['pt-PT', 'en'], 'pt-BR'],
  ])('for %j is %s', (wishes, found) => {
    expect(availableLanguage(available, wishes)).toBe(found);
  });
});
