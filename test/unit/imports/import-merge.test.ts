import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as merge from '../../../lib/domain/imports/import-merge.ts';
import { type RecordOutcome, recordOutcome, resultOf } from '../../../lib/domain/imports/import-merge.ts';

type MergeStep = merge.MergeStep<string>;
type StampedItem = merge.StampedItem<string>;
const mergeRecords = (stored: StampedItem | undefined, steps: readonly MergeStep[], order: number, guarded: boolean) =>
  merge.mergeRecords(stored, steps, isSame, { order, guarded });
/** Fails without an item, as the comparison of accounts does. */
const isSame = (a: string, b: string) => a.length === b.length && a === b;

const set =
  (data: string): MergeStep =>
  () => ({ data });
const append =
  (data: string): MergeStep =>
  (stored = '') => ({ data: stored + data });
const remove: MergeStep = () => ({ data: undefined });
const refuse: MergeStep = () => ({ rejected: true });
const fail: MergeStep = () => {
  throw new TypeError('a bug');
};

const stored = (order: number, data = 'old', outcomes = ''): StampedItem => ({ order, data, outcomes });
const removed = (order: number): StampedItem => ({ order, outcomes: 'a' });

describe('an item that no later chunk has written', () => {
  type Row = [
    what: string,
    item: StampedItem | undefined,
    steps: MergeStep[],
    outcomes: RecordOutcome[],
    data: unknown,
  ];
  test.each<Row>([
    ['is made by the first record', undefined, [set('a')], ['applied'], 'a'],
    ['is changed', stored(1), [set('a')], ['applied'], 'a'],
    ['takes the records in their order', stored(1), [append('1'), append('2')], ['applied', 'applied'], 'old12'],
    ['is left alone when nothing changes', stored(1), [set('old'), set('old')], ['unchanged', 'unchanged'], undefined],
    ['is left alone when it ends as it was', stored(1), [set('a'), set('old')], ['applied', 'applied'], undefined],
    ['tells each record by what stood before it', stored(1), [set('a'), set('a')], ['applied', 'unchanged'], 'a'],
    ['goes on after a record that it refuses', stored(1), [refuse, append('1')], ['rejected', 'applied'], 'old1'],
    ['goes on after a record that the code fails on', stored(1), [fail, append('1')], ['failed', 'applied'], 'old1'],
    ['is not made by a record that is refused', undefined, [refuse], ['rejected'], undefined],
    ['is removed', stored(1), [remove], ['applied'], null],
    ['is removed once', stored(1), [remove, remove], ['applied', 'unchanged'], null],
    ['is removed and made again in one chunk', stored(1), [remove, set('a')], ['applied', 'applied'], 'a'],
    ['stays removed', removed(1), [remove], ['unchanged'], undefined],
    ['is made again, from nothing, after it was removed', removed(1), [append('1')], ['applied'], '1'],
    ['is not there to be removed', undefined, [remove], ['unchanged'], undefined],
    ['is made and removed in one chunk', undefined, [set('a'), remove], ['applied', 'applied'], undefined],
  ])('%s', (_, item, steps, outcomes, data) => {
    const judged = mergeRecords(item, steps, 2, false);
    expect(judged.outcomes).toEqual(outcomes);
    expect(judged.write?.data).toBe(data);
    expect(judged.write?.order ?? 2).toBe(2);
  });
});

test('an item that a later chunk has written is left alone', () => {
  expect(mergeRecords(stored(3), [set('a'), refuse], 2, true)).toEqual({ outcomes: ['superseded', 'superseded'] });
});

describe('an item while a chunk of the team stands failed', () => {
  test('is stamped although nothing changes', () => {
    const steps = [set('old'), refuse];
    expect(mergeRecords(stored(1), steps, 2, true).write).toEqual({ order: 2, outcomes: 'ur' });
    expect(mergeRecords(stored(1), steps, 2, false).write).toBeUndefined();
  });

  test('is stamped when it is to be removed and does not exist, so that the failed chunk does not make it', () => {
    const { write } = mergeRecords(undefined, [remove], 2, true);
    expect(write).toEqual({ order: 2, outcomes: 'u' });
    expect(mergeRecords({ order: 2, outcomes: 'u' }, [set('a')], 1, true)).toEqual({ outcomes: ['superseded'] });
  });

  test('is not made by the stamp alone', () => {
    expect(mergeRecords(undefined, [refuse], 2, true)).toEqual({ outcomes: ['rejected'] });
  });
});

const steps = fc.array(
  fc.oneof(
    fc.constantFrom('a', 'b', 'old').map(set),
    fc.constantFrom('1', '2').map(append),
    fc.constantFrom(refuse, remove),
  ),
  { minLength: 1, maxLength: 6 },
);
const items = fc.option(fc.constantFrom(stored(1), stored(1, 'a'), removed(1)), { nil: undefined });

/** The item after the merge's write. */
const written = (item: StampedItem | undefined, { write }: ReturnType<typeof mergeRecords>): StampedItem | undefined =>
  write && { ...write, data: write.data === undefined ? item?.data : (write.data ?? undefined) };

describe('a second attempt at the same chunk', () => {
  test('finds what the first one wrote, changes nothing, and counts the same', () => {
    fc.assert(
      fc.property(items, steps, fc.boolean(), (item, chunk, guarded) => {
        const first = mergeRecords(item, chunk, 2, guarded);
        const second = mergeRecords(written(item, first) ?? item, chunk, 2, guarded);
        expect(second.outcomes).toEqual(first.outcomes);
        if (first.write) expect(second.write).toBeUndefined();
      }),
    );
  });

  test('changes nothing after the next chunk, whether that changed the item or, guarded, confirmed it', () => {
    fc.assert(
      fc.property(items, steps, steps, (item, chunk, next) => {
        const after = written(item, mergeRecords(item, next, 3, true));
        if (after) expect(mergeRecords(after, chunk, 2, true)).toEqual({ outcomes: chunk.map(() => 'superseded') });
      }),
    );
  });
});

describe('what came of a record', () => {
  test.each<[parts: RecordOutcome[], outcome: RecordOutcome]>([
    [['unchanged'], 'unchanged'],
    [['unchanged', 'unchanged'], 'unchanged'],
    [['unchanged', 'applied'], 'applied'],
    [['applied', 'superseded'], 'superseded'],
    [['superseded', 'unchanged'], 'superseded'],
    [['superseded', 'rejected'], 'rejected'],
    [['rejected', 'applied'], 'rejected'],
  ])('of parts %j is %s', (parts, outcome) => {
    expect(recordOutcome(parts)).toBe(outcome);
    expect(recordOutcome(parts.toReversed())).toBe(outcome);
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
