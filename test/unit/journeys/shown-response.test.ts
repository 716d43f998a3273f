import { expect, test } from 'vitest';
import {
  isPrivate,
  type KeptResponse,
  keptResponse,
  shownAnswer,
  shownResponseOf,
} from '../../../lib/domain/journeys/answer.ts';

test('an answer shows what may hold private values only to whom may read these', () => {
  const kept: KeptResponse = {
    ...{ id: 'r', page_id: 'p', block_id: 'b', block_type: 'survey', answer: null, typed_name: null, at: 'now' },
    ...{ values: [{ key: 'limit', question: 'Is your limit 7,000?', value: 'Yes' }], text: 'Your limit' },
    content_revision: 'r',
    identity_proved: true,
    shows_private: true,
    identity_facts_changed_at: null,
    identity_facts_changed_by: null,
  };
  const { shows_private, ...shown } = kept;
  expect(shownResponseOf(kept, true)).toEqual(shown);
  const values = [{ key: 'limit', question: null, value: null }];
  expect(shownResponseOf(kept, false)).toEqual({ ...shown, values, text: null });
  for (const reads of [true, false]) expect(shownResponseOf({ ...kept, shows_private: false }, reads)).toEqual(shown);
});

test('a page shows what was answered with a proof only to the person who has proved to be the contact', () => {
  const answer = { id: 'r', page_id: 'p', block_id: 'b', answer: null, at: 'now' };
  const values = [{ question: 'Why?', value: 'So' }];
  const response = (identity_proved: boolean) => ({ typed_name: 'Jana', values, identity_proved }) as KeptResponse;
  const shown = { ...answer, typed_name: 'Jana', values };
  expect(shownAnswer(answer, undefined, true)).toEqual(answer);
  expect(shownAnswer(answer, response(true), false)).toEqual(answer);
  expect(shownAnswer(answer, response(true), true)).toEqual(shown);
  expect(shownAnswer(answer, response(false), false)).toEqual(shown);
});

test('a stored response is parsed whole', () => {
  const id = '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10';
  const stored = {
    ...{ id, page_id: id, block_id: id, block_type: 'survey', typed_name: null, at: '2026-01-01T00:00:00.000000Z' },
    ...{
      values: [{ key: 'why', question: 'Why?', value: 'So' }],
      text: 'Why?',
      content_revision: 'r',
      identity_proved: true,
    },
    ...{ shows_private: false, identity_facts_changed_at: null, identity_facts_changed_by: null },
  };
  for (const answer of ['accepted', 'declined', null] as const) {
    expect(keptResponse.parse({ ...stored, answer })).toEqual({ ...stored, answer });
  }
});

test.each<[string, Partial<KeptResponse>, boolean]>([
  ['a typed name with a proof', { identity_proved: true, typed_name: 'Jana' }, true],
  ['values with a proof', { identity_proved: true, values: [{ key: 'q', question: 'q', value: 'v' }] }, true],
  ['only a decision with a proof', { identity_proved: true }, false],
  ['a typed name without a proof', { identity_proved: false, typed_name: 'Jana' }, false],
  ['nothing without a proof', { identity_proved: false }, false],
])('a response with %s is private: %s', (_, fields, expected) => {
  expect(isPrivate({ typed_name: null, values: [], ...fields } as unknown as KeptResponse)).toBe(expected);
});
