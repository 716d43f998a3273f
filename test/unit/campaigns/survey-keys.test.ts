import { describe, expect, test } from 'vitest';
import { withKeptKeys } from '../../../lib/content/survey-keys.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';

/** A template with a survey on its page, in a container, or outside of its pages. */
const places = ['page', 'container', 'template'] as const;
const document = (questions: JsonValue, place: (typeof places)[number] = 'page', type = 'survey') => {
  const blocks = (own: string) => (own === place ? [{ id: 'block', type, data: { questions } }] : []);
  const page = { content_blocks: blocks('page'), content_containers: [{ content_blocks: blocks('container') }] };
  return { templates: [{ content_blocks: blocks('template'), template_pages: [{ page }] }] } as never;
};
type Blocks = { content_blocks: { data: { questions: JsonValue } }[] };
type Page = Blocks & { content_containers: Blocks[] };
function questionsOf(given: unknown) {
  const [template] = (given as { templates: (Blocks & { template_pages: { page: Page }[] })[] }).templates;
  const { page } = template!.template_pages[0]!;
  return [template!, page, ...page.content_containers].flatMap(({ content_blocks }) => content_blocks)[0]!.data
    .questions as { options: JsonValue[] }[];
}

const kept = (given: JsonValue, before: JsonValue) => questionsOf(withKeptKeys(document(given), document(before)));
const options = (given: JsonValue[], before: JsonValue[]) =>
  kept([{ text: 'Which?', options: given }], [{ text: 'Which?', options: before }])[0]!.options;

describe('the options of a survey that is imported again', () => {
  const option = (text: string, number: number) => ({ text, key: `option_${number}` });
  const [a, b, c] = [option('A', 1), option('B', 2), option('C', 3)];
  test.each<[string, JsonValue[], JsonValue[], JsonValue[]]>([
    ['stay as they are', ['A', 'B', 3], ['A', 'B', 3], ['A', 'B', 3]],
    ['have no keys to keep at first', [], ['A', 'B'], ['A', 'B']],
    ['never have the same key twice', [], [option('A', 2), 'B'], [option('A', 2), option('B', 3)]],
    [
      'keep their keys behind one that is inserted, which gets a new key',
      ['A', 'B'],
      ['A', 'X', 'B'],
      ['A', option('X', 3), b],
    ],
    ['keep their keys behind one that is removed', ['A', 'B', 'C'], ['A', 'C'], ['A', c]],
    ['keep their keys in another order', ['A', { label: 'B' }], [{ label: 'B' }, 'A'], [{ label: 'B', key: b.key }, a]],
    ['keep the key of their place with another text', ['A', 'Yess'], ['A', 'Yes'], ['A', 'Yes']],
    [
      'get no key of another one where one was inserted and another has a new text',
      ['A', 'Yess'],
      ['Maybe', 'Yes', 'A'],
      [option('Maybe', 3), option('Yes', 4), a],
    ],
    ['keep keys that an import has written', ['A', option('B', 3)], ['A', 'B'], ['A', option('B', 3)]],
    [
      'do not take the key that the campaign gives another one',
      ['A', 'B'],
      ['B', option('A', 2)],
      ['B', option('A', 2)],
    ],
    ['with equal texts keep one key each', ['A', 'A'], ['B', 'A', 'A'], [option('B', 3), a, option('A', 2)]],
    ['can be numbers', [1, 2], [2, 1], [option('2', 2), option('1', 1)]],
  ])('%s', (_, before, given, expected) => {
    expect(options(given, before)).toEqual(expected);
    expect(options(expected, expected)).toEqual(expected);
  });
});

describe('what was removed', () => {
  const again = (before: JsonValue, ...documents: JsonValue[]) =>
    documents.reduce<JsonValue>((stored, given) => kept(given, stored) as JsonValue, before);

  test('gives its key to no later option', () => {
    const asked = (...list: JsonValue[]): JsonValue => [{ text: 'Which?', options: list }];
    const then = again(asked('A', 'B', 'C'), asked('A', 'B'), asked('A', 'B', 'D'));
    const stored = { text: 'Which?', options: ['A', 'B', { text: 'D', key: 'option_4' }], formerKeys: ['option_3'] };
    expect(then).toEqual([stored]);
    expect(again(then, asked('A', 'B', 'D'))).toEqual([stored]);
  });

  test('gives its key to no later question', () => {
    const blocks = (given: JsonValue, before: unknown) =>
      withKeptKeys(document(given), before as never) as unknown as never;
    const first = blocks(['A?', 'B?'], document(['A?', 'B?']));
    const stored = blocks(['A?', 'C?'], blocks(['A?'], first));
    expect(questionsOf(stored)).toEqual(['A?', { text: 'C?', key: 'question_3' }]);
  });
});

describe('the questions', () => {
  test.each(places)('keep their keys and those of their options in another order, in a %s', (place) => {
    const [how, why] = [{ text: 'How?', options: ['A', 'B'] }, 'Why?'];
    const given = document([why, { ...how, options: ['B'] }], place);
    expect(questionsOf(withKeptKeys(given, document([how, why], place)))).toEqual([
      { text: 'Why?', key: 'question_2' },
      { text: 'How?', options: [{ text: 'B', key: 'option_2' }], key: 'question_1', formerKeys: ['option_1'] },
    ]);
  });

  test('that are new have the keys of their places, and so have their options', () => {
    const given = ['Why?', { text: 'How?', options: ['A'] }];
    expect(kept(given, ['Why?'])).toEqual(given);
  });

  test('are kept where a page is given by its id only', () => {
    const given = { templates: [{ content_blocks: [], template_pages: [{ page_id: 'page', page: null }] }] } as never;
    expect(withKeptKeys(given, document(['A']))).toEqual(given);
  });

  test('of a block that is no survey are not touched', () => {
    const given = document(['B', 'A'], 'page', 'text');
    expect(withKeptKeys(given, document(['A', 'B'], 'page', 'text'))).toEqual(given);
  });
});
