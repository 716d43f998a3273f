import { expect, test } from 'vitest';
import type { BlockAnswer } from '../../../lib/domain/journeys/answer.ts';
import { hasOpenForm } from '../../../lib/web/blocks/blocks.ts';
import type { PageContext } from '../../../lib/web/blocks/context.ts';

type Given = { answer: BlockAnswer['answer'] } | undefined;

function pageWith(condition: string | null, isCompleted: boolean, given: Given, isRefused: boolean): PageContext {
  const common = { id: 'r', page_id: 'p', block_id: 'first', at: '2026-01-01T00:00:00.000000Z' };
  return {
    ...{ id: 'p', condition, isCompleted, actions: '/j/s/actions' },
    answers: new Map(given ? [['first', { ...common, ...given }]] : []),
    refused: isRefused ? { fields: { block_id: 'first' }, message: 'unsent' } : undefined,
  };
}

const yes: Given = { answer: 'accepted' };
const no: Given = { answer: 'declined' };
const sent: Given = { answer: null };

test.each<
  [blocks: string[], condition: string | null, isCompleted: boolean, given: Given, isRefused: boolean, isOpen: boolean]
>([
  [[], 'view', false, undefined, false, false],
  [['text', 'button'], 'view', false, undefined, false, false],
  [['survey'], 'view', false, undefined, false, true],
  [['survey'], 'view', true, undefined, false, true],
  [['survey'], 'view', true, sent, false, false],
  [['survey'], 'view', true, sent, true, true],
  [['survey'], null, false, undefined, false, false],
  [['survey'], 'objective', false, undefined, false, false],
  [['survey'], 'confirm', true, undefined, false, true],
  [['agreement'], 'view', true, undefined, false, true],
  [['agreement'], 'view', true, yes, false, false],
  [['agreement'], 'view', true, yes, true, false],
  [['agreement'], 'view', true, no, false, false],
  [['agreement'], 'view', true, no, true, true],
  [['confirm'], 'view', true, undefined, false, true],
  [['confirm'], 'confirm', false, undefined, false, true],
  [['confirm'], 'confirm', true, undefined, false, false],
  [['confirm', 'agreement'], 'confirm', true, undefined, false, true],
  [['agreement', 'confirm'], 'confirm', true, yes, false, true],
])(
  '%j on a page with the condition %s, completed: %s, answer %j, refused: %s; has an open form: %s',
  (types, condition, isCompleted, given, isRefused, isOpen) => {
    const blocks = types.map((type, at) => ({ id: at === 0 ? 'first' : 'second', type }));
    expect(hasOpenForm(blocks, pageWith(condition, isCompleted, given, isRefused))).toBe(isOpen);
    expect(hasOpenForm(blocks, undefined)).toBe(false);
  },
);
