import { describe, expect, test } from 'vitest';
import { contentJsonSchema } from '../../../bin/content/document-schema.ts';
import { wordsValueErrors } from '../../../lib/content/words.ts';
import { noContent } from '../../../lib/domain/campaigns/link.ts';
import { catalogues } from '../../../lib/web/words/words.ts';
import { errorsOf } from './content-imports.ts';

const errors = (words: object) => errorsOf(noContent, { templates: [{ name: 'A', words }] });
const at = '/templates/0/words';

describe('the words of a template', () => {
  test('may be the words of every catalogue', () => {
    expect(errors(catalogues)).toEqual([]);
  });

  test.each<[what: string, words: object, error: string]>([
    ['an unknown key', { en: { agre: 'Yes' } }, '/en/agre is not a key of the words: did you mean `agree`?'],
    ['a key like no other', { en: { zzz: 'Yes' } }, '/en/zzz is not a key of the words'],
    ['a region', { 'es-MX': { agree: 'Sí' } }, '/es-MX is not a language of the pages: did you mean `es`?'],
    [
      'an unknown language',
      { pl: { agree: 'Tak' } },
      '/pl is not a language of the pages, which are `en`, `es`, `fr`, `de`, `cs` and `ar`',
    ],
    ['a lost placeholder', { en: { next: 'On' } }, '/en/next must contain `{title}`, as in "Next: {title}"'],
    [
      'a placeholder of a campaign',
      { en: { back: '{{name_first}}' } },
      '/en/back must contain no placeholder, as in "Back"',
    ],
    ['an empty text', { de: { back: ' ' } }, '/de/back must be a text that is not empty'],
    [
      'plural forms of one that has none',
      { en: { back: { other: 'B' } } },
      '/en/back must be a text that is not empty',
    ],
    [
      'a text in place of plural forms',
      { en: { wait_hours: 'soon' } },
      '/en/wait_hours must be an object with the plural forms `one` and `other`',
    ],
    [
      'a plural form without its number',
      { en: { wait_hours: { one: 'an hour', other: 'hours' } } },
      '/en/wait_hours/other must contain `{count}`, as in "{count} hours"',
    ],
  ])('with %s are refused', (_, words, error) => {
    expect(errors(words)).toEqual([at + error]);
  });

  test('are described for editors', () => {
    const { $defs } = contentJsonSchema() as { $defs: { words: { properties: object } } };
    expect($defs.words.properties).toMatchObject({ agree: { description: 'I agree' } });
  });
});

test('words that are not by language and key are refused', () => {
  for (const value of [[], 'en', { en: 'Yes' }, null]) {
    expect(wordsValueErrors(value)).toEqual([{ path: '', message: 'must be words by language and key' }]);
  }
});
