import { describe, expect, test } from 'vitest';
import { noValues } from '../../lib/domain/placeholders.ts';
import { hasRequired, requiredErrors, type SentAnswer } from '../../lib/domain/response.ts';

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

  test.each<[string, SentAnswer[], boolean, ReturnType<typeof missing>[]]>([
    ['no answer at all', [], false, []],
    ['an answer to a survey without one', [sent('optional')], false, []],
    ['an answer to another block', [sent('agree'), sent('none')], false, []],
    ['an answer to both', [sent('required', given('Why, Cedar?', 'Who?'))], true, []],
    ['an answer to one', [sent('required', given('Why, Cedar?', 'How?'))], true, [missing(0, who)]],
    ['an answer to neither', [sent('required')], true, [missing(0, why), missing(0, who)]],
    ['values of null', [sent('required', { values: null })], true, [missing(0, why), missing(0, who)]],
    [
      'an answer that is blank',
      [sent('required', { values: [{ question: 'Who?', value: ' ' }, ...given('Why, Cedar?').values] })],
      true,
      [missing(0, who)],
    ],
    [
      'an answer to a survey without one first',
      [sent('optional'), sent('required', given('Who?'))],
      true,
      [missing(1, why)],
    ],
  ])('with %s', (_, answers, isRequired, errors) => {
    expect(hasRequired(answers, surveys)).toBe(isRequired);
    expect(requiredErrors(answers, surveys, values)).toEqual(errors);
  });
});
