import { describe, expect, test } from 'vitest';
import { noValues } from '../../lib/domain/placeholders.ts';
import { answerErrors, type SentAnswer } from '../../lib/domain/response.ts';

const block = (id: string, type: string, data: object) => ({ id, type, data }) as never;
const sent = (block_id: string, fields: object = {}): SentAnswer => ({ block_id, ...fields });

describe('a required question', () => {
  const questions = [
    { text: 'Why, {{team.name}}?', required: true },
    { text: 'How?', required: false },
    { text: 'Who?', required: true },
  ];
  const surveys = [
    block('optional', 'survey', { questions: ['Where?'] }),
    block('required', 'survey', { questions }),
    block('agree', 'agreement', { questions }),
  ];
  const values = { ...noValues, teamName: 'Cedar' };
  const given = (...names: string[]) => ({ values: names.map((question) => ({ question, value: 'x' })) });
  const missing = (at: number, text: string) => ({
    path: `/answers/${at}/values`,
    message: `must have an answer to "${text}"`,
  });
  const [why, who] = ['Why, {{team.name}}?', 'Who?'] as const;

  test.each<[string, SentAnswer[], ReturnType<typeof missing>[]]>([
    ['no answer at all', [], []],
    ['an answer to a survey without one', [sent('optional')], []],
    ['an answer to another block', [sent('agree', { answer: 'accepted' })], []],
    ['an answer to both', [sent('required', given('Why, Cedar?', 'Who?'))], []],
    ['an answer to one', [sent('required', given('Why, Cedar?', 'How?'))], [missing(0, who)]],
    ['an answer to neither', [sent('required')], [missing(0, why), missing(0, who)]],
    ['values of null', [sent('required', { values: null })], [missing(0, why), missing(0, who)]],
    [
      'an answer that is blank',
      [sent('required', { values: [{ question: 'Who?', value: ' ' }, ...given('Why, Cedar?').values] })],
      [missing(0, who)],
    ],
    ['an answer to a survey without one first', [sent('optional'), sent('required', given('Who?'))], [missing(1, why)]],
  ])('with %s', (_, answers, errors) => {
    expect(answerErrors(answers, surveys, values)).toEqual(errors);
  });
});
