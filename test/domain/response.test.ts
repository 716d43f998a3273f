import { describe, expect, test } from 'vitest';
import { noValues } from '../../lib/domain/placeholders.ts';
import {
  answerErrors,
  answersOfForm,
  isDeclining,
  type KeptResponse,
  keptResponses,
  latestAnswers,
  type SentAnswer,
  shownResponseOf,
} from '../../lib/domain/response.ts';

const block = (id: string, type: string, data: object = {}) => ({ id, type, data }) as never;
const blocks = [
  block('agree', 'Agree-Disagree', { agreementText: 'I agree with {{team.name}}' }),
  block('sign', 'signature', { signatureBoxText: 'Your name' }),
  block('survey', 'survey', { questions: ['Why?', { text: 'How?' }] }),
  block('text', 'text', { body: 'Hello' }),
];
const sent = (block_id: string, fields: object = {}): SentAnswer => ({ block_id, ...fields });

describe('an answer', () => {
  test.each<[string, SentAnswer[], string[]]>([
    ['that agrees', [sent('agree', { answer: 'accepted' })], []],
    ['that declines, without a signature', [sent('sign', { answer: 'declined' })], []],
    ['that signs', [sent('sign', { answer: 'accepted', typed_name: 'Jana' })], []],
    ['of a survey', [sent('survey', { values: [{ question: 'Why?', value: 'So' }] })], []],
    ['to an agreement without a decision', [sent('agree')], ['/answers/0/answer']],
    [
      'that agrees without the signature',
      [sent('sign', { answer: 'accepted', typed_name: ' ' })],
      ['/answers/0/typed_name'],
    ],
    ['that accepts a survey', [sent('survey', { answer: 'accepted' })], ['/answers/0/answer']],
    ['to a block that takes none', [sent('text', { answer: 'accepted' })], ['/answers/0/block_id']],
    ['to a block of another page', [sent('agree', { answer: 'accepted' }), sent('none')], ['/answers/1/block_id']],
    ['given twice', [sent('survey'), sent('survey')], ['/answers/1/block_id']],
  ])('%s', (_, answers, paths) => {
    expect(answerErrors(answers, blocks).map(({ path }) => path)).toEqual(paths);
  });

  test('declines where any of several does', () => {
    expect(isDeclining([sent('agree', { answer: 'accepted' }), sent('sign', { answer: 'declined' })])).toBe(true);
    expect(isDeclining([sent('agree', { answer: 'accepted' }), sent('survey')])).toBe(false);
  });

  test('is kept with what the block said', () => {
    let ids = 0;
    const context = {
      ...{
        blocks,
        newId: () => `id-${++ids}`,
        page_id: 'page',
        content_revision: 'r',
        identity_proved: true,
        at: 'now',
      },
      values: { ...noValues, teamName: 'Cedar' },
    };
    const answers = [
      sent('agree', { answer: 'declined', more: 1 }),
      sent('survey', { values: [{ question: 'Why?', value: 'So', more: 1 }] }),
    ];
    const shared = { page_id: 'page', content_revision: 'r', identity_proved: true, at: 'now', typed_name: null };
    expect(keptResponses(answers, context)).toEqual([
      {
        ...shared,
        ...{ id: 'id-1', block_id: 'agree', block_type: 'Agree-Disagree', answer: 'declined', values: [] },
        text: 'I agree with Cedar',
      },
      {
        ...shared,
        ...{ id: 'id-2', block_id: 'survey', block_type: 'survey', answer: null, text: 'Why?\n\nHow?' },
        values: [{ question: 'Why?', value: 'So' }],
      },
    ]);
  });

  test('is the latest of the block on its page', () => {
    const at = (time: string, answer: 'accepted' | 'declined', page_id = 'p') => ({
      id: time,
      page_id,
      block_id: 'b',
      answer,
      at: time,
    });
    const answers = [at('2', 'declined'), at('3', 'accepted'), at('1', 'accepted'), at('4', 'declined', 'q')];
    expect(latestAnswers(answers, 'p').get('b')).toEqual(at('3', 'accepted'));
  });
});

test('an answer shows what may hold private values only to whom may read these', () => {
  const kept: KeptResponse = {
    ...{ id: 'r', page_id: 'p', block_id: 'b', block_type: 'survey', answer: null, typed_name: null, at: 'now' },
    ...{ values: [{ question: 'Is your limit 7,000?', value: 'Yes' }], text: 'Your limit', content_revision: 'r' },
    identity_proved: true,
  };
  expect(shownResponseOf(kept, true)).toEqual(kept);
  expect(shownResponseOf(kept, false)).toEqual({ ...kept, values: [{ question: null, value: 'Yes' }], text: null });
  const unproved = { ...kept, identity_proved: false };
  expect(shownResponseOf(unproved, false)).toEqual(unproved);
});

test('a form answers the block that it names', () => {
  const form = {
    type: 'page_completed',
    block_id: 'b',
    answer: 'accepted',
    typed_name: '',
    'value:Why?': 'So',
    'value:How?': ' ',
  };
  expect(answersOfForm(form)).toEqual([
    { block_id: 'b', answer: 'accepted', values: [{ question: 'Why?', value: 'So' }] },
  ]);
  expect(answersOfForm({ type: 'page_completed' })).toBeUndefined();
});
