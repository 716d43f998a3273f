import { describe, expect, test } from 'vitest';
import { answersOfForm } from '../../../lib/domain/journeys/answer.ts';
import { noValues } from '../../../lib/domain/journeys/placeholders.ts';
import { namedQuestions, questionsOf, type SentValue, surveyAnswers } from '../../../lib/domain/journeys/survey.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';

const survey = (questions: unknown) => ({ type: 'survey', data: { questions } }) as never;
const values = { ...noValues, teamName: 'Cedar' };

describe('the questions of a block', () => {
  test.each<[string, unknown]>([
    ['no block', undefined],
    ['a survey without data', { type: 'survey', data: null }],
    ['a survey without questions', { type: 'survey', data: {} }],
    ['a survey whose questions are not a list', survey('Why?')],
    ['another block', { type: 'text', data: { questions: ['Why?'] } }],
    ['questions without a text', survey(['', ' ', null, 7, {}, { text: ' ' }, { key: 'k' }])],
  ])('are none for %s', (_, block) => {
    expect(questionsOf(block as never)).toEqual([]);
  });

  test('have a text, a key, what they offer and whether an answer is required', () => {
    const given = [
      'Why?',
      {
        text: 'How?',
        required: true,
        key: 'how',
        options: ['A', 1, ' ', { label: 'B', key: 'b' }, null, { text: 'C' }],
      },
      { question: 'Who?', required: 'yes', options: ['A'], scale: [1, 3] },
      { text: 'Where?', scale: [1, 99], choices: 'A' },
    ];
    expect(questionsOf(survey(given))).toEqual([
      { text: 'Why?', isRequired: false, key: 'question_1', offered: [] },
      {
        text: 'How?',
        isRequired: true,
        key: 'how',
        offered: [
          { key: 'option_1', text: 'A' },
          { key: 'option_2', text: '1' },
          { key: 'b', text: 'B' },
          { key: 'option_6', text: 'C' },
        ],
      },
      {
        text: 'Who?',
        isRequired: false,
        key: 'question_3',
        offered: [
          { key: '1', text: '1' },
          { key: '2', text: '2' },
          { key: '3', text: '3' },
        ],
      },
      { text: 'Where?', isRequired: false, key: 'question_4', offered: [] },
    ]);
  });

  test('that would be shown without a text are not asked', () => {
    const names = namedQuestions(survey(['{{name_first}}', 'Why?', ' {{team.name}}?']), values).map(({ name }) => name);
    expect(names).toEqual(['Why?', ' Cedar?']);
  });

  test('with equal texts have numbers', () => {
    const names = namedQuestions(survey(['Why?', 'Why?', 'How?', 'Why?', 'Why? (2)']), values).map(({ name }) => name);
    expect(names).toEqual(['Why?', 'Why? (2)', 'How?', 'Why? (3)', 'Why? (2) (2)']);
  });
});

describe('the answers to a survey', () => {
  const [why, who] = ['Why,\n{{team.name}}?', 'Who?'];
  const asked = survey([
    { text: why, required: true, key: 'why' },
    { text: 'How?', key: 'how', options: ['{{team.name}} or\r\nme', 'You', ' {{name_first}}'] },
    { text: who, required: true, scale: [1, 5] },
  ]);
  const missing = (text: string) => ` must have an answer to "${text}"`;
  const both = [
    { question: 'Why,\nCedar?', value: 'x' },
    { question: 'Who?', value: '5' },
  ];

  test.each<[string, SentValue[], string[]]>([
    ['no answers', [], [missing(why), missing(who)]],
    ['answers to the required questions', both, []],
    // Browsers send line breaks in names as CRLF.
    ['a line break of a browser', [{ question: 'Why,\r\nCedar?', value: 'x' }, both[1]!], []],
    ['keys in place of questions', [{ key: 'why', value: 'x' }, both[1]!], []],
    ['a key as the name of the question', [{ question: 'why', value: 'x' }, both[1]!], []],
    ['a blank answer', [{ key: 'why', question: null, value: ' ' }, both[1]!], [missing(why)]],
    [
      'a question that is not asked',
      [...both, { question: 'Where?', value: 'x' }],
      ['/2/question must be a question of the block'],
    ],
    [
      'the text of the campaign',
      [...both, { question: why, value: 'x' }],
      ['/2/question must be a question of the block'],
    ],
    ['a key that no question has', [...both, { key: 'where', value: 'x' }], ['/2/key must be a question of the block']],
    [
      'a key and another question',
      [...both, { key: 'how', question: 'Who?', value: '5' }],
      ['/2/question must be a question of the block'],
    ],
    ['two answers to a question', [...both, { key: 'why', value: 'y' }], ['/2 must not answer a question twice']],
    [
      'a value outside of the scale',
      [both[0]!, { question: 'Who?', value: '6' }],
      ['/1/value must be a value that the question offers', missing(who)],
    ],
    [
      'a value that is no option',
      [...both, { key: 'how', value: 'purple' }],
      ['/2/value must be a value that the question offers'],
    ],
    [
      'an empty value for an option',
      [...both, { key: 'how', value: '' }],
      ['/2/value must be a value that the question offers'],
    ],
  ])('with %s have errors: %#', (_, given, expected) => {
    const { errors } = surveyAnswers(asked, values, given);
    expect(errors.map(({ path, message }) => `${path} ${message}`)).toEqual(expected);
  });

  test('are worded as the campaign words them, with the keys of the question and of the option', () => {
    const given = [
      { question: 'Why,\r\nCedar?', value: 'x' },
      { key: 'how', value: 'Cedar or\nme' },
      { question: 'Who?', value: '5' },
    ];
    expect(surveyAnswers(asked, values, given).answers).toStrictEqual([
      { key: 'why', question: 'Why,\nCedar?', value: 'x' },
      { key: 'how', question: 'How?', option_key: 'option_1', value: 'Cedar or\r\nme' },
      { key: 'question_3', question: 'Who?', option_key: '5', value: '5' },
    ]);
  });

  test('of a block that is no survey are none', () => {
    expect(
      surveyAnswers({ type: 'text', data: { questions: ['Why?'] } } as never, values, [
        { question: 'Why?', value: 'x' },
      ]),
    ).toEqual({
      answers: [],
      errors: [{ path: '/0/question', message: 'must be a question of the block' }],
    });
  });
});

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
