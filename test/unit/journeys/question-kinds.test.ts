import { describe, expect, test } from 'vitest';
import { answersOfForm } from '../../../lib/domain/journeys/answer.ts';
import { noValues } from '../../../lib/domain/journeys/placeholders.ts';
import { surveyAnswers } from '../../../lib/domain/journeys/survey.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';

const options = ['Red', { key: 'g', text: 'Green' }, 'Blue'];
const answered = (asked: { [name: string]: JsonValue }, ...values: string[]) => {
  const block = { type: 'survey', data: { questions: [{ text: 'Q', key: 'q', ...asked }] } } as never;
  const sent = values.map((value) => ({ key: 'q', value }));
  const { answers, errors } = surveyAnswers(block, noValues, sent);
  return errors.length > 0 ? errors.map(({ path, message }) => `${path} ${message}`) : answers;
};
const chosen = (option_key: string, value: string) => ({ key: 'q', question: 'Q', option_key, value });

describe('a question with several answers', () => {
  const multiple = { multiple: true, options };
  test.each<[what: string, asked: { [name: string]: JsonValue }, values: string[], expected: unknown[]]>([
    [
      'takes each of its options by its key',
      multiple,
      ['Blue', 'Green'],
      [chosen('option_3', 'Blue'), chosen('g', 'Green')],
    ],
    ['takes none if it is not required', multiple, [], []],
    ['wants one if it is required', { ...multiple, required: true }, [], [' must have an answer to "Q"']],
    ['takes no option twice', multiple, ['Red', 'Red'], ['/1 must not answer a question twice']],
    ['takes no other value', multiple, ['Red', 'Pink'], ['/1/value must be a value that the question offers']],
    ['wants at least min', { ...multiple, min: 2 }, ['Red'], [' must have 2 to 3 answers to "Q"']],
    ['takes as many as max', { ...multiple, max: 1 }, ['Blue'], [chosen('option_3', 'Blue')]],
    ['takes at most max', { ...multiple, max: 1 }, ['Red', 'Blue'], [' must have 1 to 1 answers to "Q"']],
    ['takes one option without multiple', { options }, ['Red', 'Blue'], ['/1 must not answer a question twice']],
    [
      'is none with another value of multiple',
      { options, multiple: 'yes' },
      ['Red', 'Blue'],
      ['/1 must not answer a question twice'],
    ],
  ])('%s', (_, asked, values, expected) => {
    expect(answered(asked, ...values)).toEqual(expected);
  });

  test('has a field in the form for each option', () => {
    const fields = {
      block_id: 'b',
      'value[0]:Q': 'Red',
      'value[2]:Q': 'Blue',
      'value:Why: this?': 'So',
      'values[1]:Q': 'x',
    };
    expect(answersOfForm(fields)).toEqual([
      {
        block_id: 'b',
        values: [
          { question: 'Q', value: 'Red' },
          { question: 'Q', value: 'Blue' },
          { question: 'Why: this?', value: 'So' },
        ],
      },
    ]);
  });
});

test('a scale has at most eleven steps', () => {
  expect(answered({ scale: [0, 10] }, '10')).toEqual([chosen('10', '10')]);
  expect(answered({ scale: [0, 11] }, '10')).toEqual([{ key: 'q', question: 'Q', value: '10' }]);
});

describe('a typed answer', () => {
  test.each<[type: string, value: string, isTaken: boolean]>([
    ['number', '12', true],
    ['number', '-3.5', true],
    ['number', '', true],
    ['number', '1,5', false],
    ['number', 'two', false],
    ['number', '1e3', false],
    ['date', '2028-02-29', true],
    ['date', '2026-02-29', false],
    ['date', '29.02.2028', false],
    ['date', '2026-1-1', false],
    ['other', 'anything', true],
  ])('of the type %s, %j', (type, value, isTaken) => {
    const message = { number: 'must be a number, such as 12.5', date: 'must be a date, such as 2026-01-31' }[type];
    expect(answered({ type }, value)).toEqual(isTaken ? [{ key: 'q', question: 'Q', value }] : [`/0/value ${message}`]);
  });
});
