import { describe, expect, test } from 'vitest';
import { noValues } from '../../lib/domain/placeholders.ts';
import {
  namedQuestions,
  questionsOf,
  type SurveyValue,
  surveyValues,
  unansweredQuestions,
} from '../../lib/domain/survey.ts';

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

  test('have a text, a key and whether an answer is required', () => {
    const given = ['Why?', { text: 'How?', required: true, key: 'how' }, { question: 'Who?', required: 'yes' }];
    expect(questionsOf(survey(given))).toEqual([
      { text: 'Why?', isRequired: false, key: undefined },
      { text: 'How?', isRequired: true, key: 'how' },
      { text: 'Who?', isRequired: false, key: undefined },
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

describe('the unanswered questions', () => {
  const asked = survey([{ text: 'Why,\n{{team.name}}?', required: true }, 'How?', { text: 'Who?', required: true }]);
  const answers = (...given: [question: string, value: string][]): SurveyValue[] =>
    given.map(([question, value]) => ({ question, value }));
  const [why, who] = ['Why,\n{{team.name}}?', 'Who?'];

  test.each<[string, SurveyValue[], unknown[]]>([
    ['no answers', [], [why, who]],
    ['answers to both', answers(['Why,\nCedar?', 'x'], ['Who?', 'x']), []],
    // Browsers send line breaks in names as CRLF.
    ['an answer with a line break of a browser', answers(['Why,\r\nCedar?', 'x']), [who]],
    ['a blank answer', answers(['Why,\nCedar?', 'x'], ['Who?', ' ']), [who]],
    ['an answer to another question', answers(['How?', 'x'], ['Where?', 'x']), [why, who]],
  ])('with %s are the required ones without an answer', (_, given, expected) => {
    expect(unansweredQuestions(asked, values, given)).toEqual(expected);
  });
});

test('an answer has a key only if its question has one', () => {
  const given = ['How?', 'Why?', 'Who?'].map((question) => ({ question, value: 'x' }));
  expect(surveyValues(survey([{ text: 'How?', key: 'how' }, 'Why?']), values, given)).toStrictEqual([
    { key: 'how', question: 'How?', value: 'x' },
    { question: 'Why?', value: 'x' },
    { question: 'Who?', value: 'x' },
  ]);
});
