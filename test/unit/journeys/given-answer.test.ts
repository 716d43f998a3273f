import { describe, expect, test } from 'vitest';
import { addAnswers, latestAnswers } from '../../../lib/domain/journeys/given-answer.ts';

const now = '2026-03-01T09:00:00.000000Z';
const answering = (id: string, block_id: string, page_id = 'p') => ({ id, page_id, block_id, values: [] }) as never;
const at = (microseconds: number) => now.replace('.000000', `.${String(microseconds).padStart(6, '0')}`);

describe('an answer', () => {
  test('is the latest of the block on its page', () => {
    const { given } = addAnswers([], [answering('1', 'a'), answering('2', 'b')], now);
    const later = addAnswers(given, [answering('3', 'b'), answering('4', 'b', 'q')], now).given;
    const idOf = (page: string, block: string) => latestAnswers(later, page).get(block)?.id;
    expect([idOf('p', 'a'), idOf('p', 'b'), idOf('q', 'a'), idOf('q', 'b')]).toEqual(['1', '3', undefined, '4']);
  });

  test('is later than all others of the journey, whatever the clock says', () => {
    const times = (given: never[], at: string) =>
      addAnswers(given, [answering('1', 'a'), answering('2', 'b')], at).responses.map((each) => each.at);
    const last = (at: string) => [{ ...(answering('0', 'c') as object), at, count: 1 }] as never[];
    expect(times([], now)).toEqual([now, at(1)]);
    expect(times(last(now), now)).toEqual([at(1), at(2)]);
    expect(times(last(at(998)), now)).toEqual([at(999), at(1000)]);
    expect(times(last('2026-03-01T09:59:59.999999Z'), now)).toEqual([
      '2026-03-01T10:00:00.000000Z',
      '2026-03-01T10:00:00.000001Z',
    ]);
    expect(times(last('2026-03-01T08:00:00.000Z'), now)).toEqual([now, at(1)]);
    expect(times(last('2026-03-01T09:00:00.000Z'), now)).toEqual([at(1), at(2)]);
  });

  test('to a survey is kept with the keys of what was chosen, without the texts', () => {
    const values = [
      { key: 'why', question: 'Why?', value: 'Secret' },
      { key: 'how', question: 'How?', option_key: 'well', value: 'Well' },
      { key: 'when', question: 'When?', value: ' ' },
    ];
    const answer = { ...(answering('1', 'a') as object), values } as never;
    const choices = [
      { key: 'why', option_key: null },
      { key: 'how', option_key: 'well' },
    ];
    const { given } = addAnswers([], [answer, answering('2', 'b')], now);
    expect(given.map((each) => each.choices)).toEqual([choices, undefined]);
    expect(addAnswers(given, [{ ...(answer as object), values: [] } as never], now).given.at(-1)).not.toHaveProperty(
      'choices',
    );
  });

  test('is one of at most 50 to its block, on whatever page that was', () => {
    const given = (count: number) => [{ ...(answering('0', 'b', 'q') as object), at: now, count }] as never[];
    expect(addAnswers(given(49), [answering('1', 'b')], now).responses).toHaveLength(1);
    const full = [...given(49), ...addAnswers([], [answering('1', 'b')], now).given];
    const add = () => addAnswers(full, [answering('2', 'a'), answering('3', 'b')], now);
    expect(add).toThrow(expect.objectContaining({ code: 'conflict' }));
  });
});
