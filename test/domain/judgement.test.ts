import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as judgement from '../../lib/domain/judgement.ts';
import { combine, type Outcome, resultOf } from '../../lib/domain/judgement.ts';

type Step = judgement.Step<string>;
type Stamped = judgement.Stamped<string>;
const judge = (stored: Stamped | undefined, steps: readonly Step[], order: number, guarded: boolean) =>
  judgement.judge(stored, steps, (a, b) => a === b, { order, guarded });

const set =
  (data: string): Step =>
  () => ({ data });
const append =
  (data: string): Step =>
  (stored = '') => ({ data: stored + data });
const refuse: Step = () => ({ rejected: true });

const stored = (order: number, data = 'old', outcomes = ''): Stamped => ({ order, data, outcomes });

describe('an item that no later chunk has written', () => {
  test.each<[what: string, item: Stamped | undefined, steps: Step[], outcomes: Outcome[], data: string | undefined]>([
    ['is made by the first record', undefined, [set('a')], ['applied'], 'a'],
    ['is changed', stored(1), [set('a')], ['applied'], 'a'],
    ['takes the records in their order', stored(1), [append('1'), append('2')], ['applied', 'applied'], 'old12'],
    ['is left alone when nothing changes', stored(1), [set('old'), set('old')], ['unchanged', 'unchanged'], undefined],
    ['is left alone when it ends as it was', stored(1), [set('a'), set('old')], ['applied', 'applied'], undefined],
    ['tells each record by what stood before it', stored(1), [set('a'), set('a')], ['applied', 'unchanged'], 'a'],
    ['goes on after a record that it refuses', stored(1), [refuse, append('1')], ['rejected', 'applied'], 'old1'],
    ['is not made by a record that is refused', undefined, [refuse], ['rejected'], undefined],
  ])('%s', (_, item, steps, outcomes, data) => {
    const judged = judge(item, steps, 2, false);
    expect(judged.outcomes).toEqual(outcomes);
    expect(judged.write?.data).toBe(data);
    expect(judged.write?.order ?? 2).toBe(2);
  });
});

test('an item that a later chunk has written is left alone', () => {
  expect(judge(stored(3), [set('a'), refuse], 2, true)).toEqual({ outcomes: ['superseded', 'superseded'] });
});

describe('an item while a chunk of the team stands failed', () => {
  test('is stamped although nothing changes', () => {
    const steps = [set('old'), refuse];
    expect(judge(stored(1), steps, 2, true).write).toEqual({ order: 2, outcomes: 'ur' });
    expect(judge(stored(1), steps, 2, false).write).toBeUndefined();
  });

  test('is not made by the stamp alone', () => {
    expect(judge(undefined, [refuse], 2, true)).toEqual({ outcomes: ['rejected'] });
  });
});

const steps = fc.array(
  fc.oneof(fc.constantFrom('a', 'b', 'old').map(set), fc.constantFrom('1', '2').map(append), fc.constant(refuse)),
  { minLength: 1, maxLength: 6 },
);
const items = fc.option(fc.constantFrom(stored(1), stored(1, 'a')), { nil: undefined });

/** The item after the judgement's write. */
const written = (item: Stamped | undefined, { write }: ReturnType<typeof judge>): Stamped | undefined =>
  write && { data: item?.data ?? '', ...write };

describe('a second attempt at the same chunk', () => {
  test('finds what the first one wrote, changes nothing, and counts the same', () => {
    fc.assert(
      fc.property(items, steps, fc.boolean(), (item, chunk, guarded) => {
        const first = judge(item, chunk, 2, guarded);
        const second = judge(written(item, first) ?? item, chunk, 2, guarded);
        expect(second.outcomes).toEqual(first.outcomes);
        if (first.write) expect(second.write).toBeUndefined();
      }),
    );
  });

  test('changes nothing after the next chunk, whether that changed the item or, guarded, confirmed it', () => {
    fc.assert(
      fc.property(items, steps, steps, (item, chunk, next) => {
        const after = written(item, judge(item, next, 3, true));
        if (after) expect(judge(after, chunk, 2, true)).toEqual({ outcomes: chunk.map(() => 'superseded') });
      }),
    );
  });
});

describe('what came of a record', () => {
  test.each<[parts: Outcome[], outcome: Outcome]>([
    [['unchanged'], 'unchanged'],
    [['unchanged', 'unchanged'], 'unchanged'],
    [['unchanged', 'applied'], 'applied'],
    [['applied', 'superseded'], 'superseded'],
    [['superseded', 'unchanged'], 'superseded'],
    [['superseded', 'rejected'], 'rejected'],
    [['rejected', 'applied'], 'rejected'],
  ])('of parts %j is %s', (parts, outcome) => {
    expect(combine(parts)).toBe(outcome);
    expect(combine(parts.toReversed())).toBe(outcome);
  });

  test('is counted, and named where it was refused', () => {
    expect(resultOf(['applied', 'rejected', 'unchanged', 'superseded', 'rejected', 'applied'], 'why')).toEqual({
      counts: { applied: 2, unchanged: 1, superseded: 1, rejected: 2 },
      rejections: [
        { record: 1, message: 'why' },
        { record: 4, message: 'why' },
      ],
    });
  });
});
