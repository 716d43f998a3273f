import { describe, expect, test } from 'vitest';
import {
  attemptsAt,
  begin,
  type Chunk,
  canBeAcceptedAgain,
  cancellation,
  chunkStatuses,
  complete,
  discard,
  fail,
  type ImportState,
  isCancellable,
  isGuarded,
  isUnfinished,
  type ListedChunk,
  mayBeCancelled,
  mayExceedCap,
  newImportState,
  newOrderCounter,
  type OrderCounter,
  recordCancellation,
  redrive,
  skip,
  uncountAttempt,
  waitingImports,
  workable,
} from '../../../lib/domain/imports/chunk.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { chunkOf } from '../../support/samples/samples.ts';

const noon = Date.parse('2026-01-01T12:00:00.000Z');
const at = (seconds: number) => timestamp(noon + seconds * 1000);

const chunk = (order: number, changes: Partial<Chunk> = {}) =>
  chunkOf(order, { order, records: 2, accepted_at: at(0), ...changes });
const listed = (order: number, changes: Partial<ListedChunk> = {}): ListedChunk => ({ ...chunk(order), ...changes });
const state = (changes: Partial<ImportState> = {}): ImportState => ({ ...newImportState, version: 7, ...changes });
const ordersOf = (chunks: readonly ListedChunk[]) => chunks.map(({ order }) => order);

const result = { counts: { applied: 1, unchanged: 1, superseded: 0, rejected: 0 }, rejections: [] };

describe('an attempt', () => {
  const tried = (begun: number, order: number, count: number) => ({ begun, attempt: { order, count } });
  test.each<[string, Partial<ImportState>, number, Partial<ImportState>]>([
    ['at the first chunk of a team', {}, 1, tried(1, 1, 1)],
    ['at the next chunk', tried(4, 4, 3), 5, tried(5, 5, 1)],
    ['at the same chunk', tried(4, 4, 3), 4, tried(4, 4, 4)],
    ['at a chunk put back', tried(9, 9, 1), 4, tried(9, 4, 1)],
  ])('%s counts, and the highest number begun stays known', (_, before, order, expected) => {
    expect(begin(state(before), { order }, at(5))).toEqual(state({ ...before, ...expected, active_at: at(5) }));
  });

  test.each<[string, ImportState['attempt'], number]>([
    ['its last', { order: 4, count: 3 }, 2],
    ['its only one', { order: 4, count: 1 }, 0],
    ['none any more', { order: 4, count: 0 }, 0],
  ])('that says nothing against the chunk is taken off the count: %s', (_, attempt, left) => {
    const before = state({ begun: 6, attempt });
    expect(uncountAttempt(before, { order: 4 })).toEqual({ ...before, attempt: { order: 4, count: left } });
  });

  test('counts for the chunk that was begun last alone', () => {
    const after = state({ attempt: { order: 4, count: 3 } });
    expect(attemptsAt(after, { order: 4 })).toBe(3);
    expect(attemptsAt(after, { order: 3 })).toBe(0);
    expect(attemptsAt(state(), { order: 0 })).toBe(0);
  });
});

describe('a chunk is completed', () => {
  const change = {
    status: 'completed',
    ...result,
    rejections: undefined,
    failure: undefined,
    attempts: undefined,
    closed_at: at(9),
  };

  test('from open: it leaves the open ones', () => {
    const before = state({ begun: 3, left: 2, failed: 1 });
    expect(complete({ status: 'open' }, before, result, at(9))).toEqual({
      change: { ...change, ended: 8 },
      state: { ...before, left: 3, active_at: at(9) },
    });
  });

  test('from failed: it had left the open ones, and is no longer counted as failed', () => {
    const before = state({ begun: 3, left: 3, failed: 2 });
    expect(complete({ status: 'failed' }, before, result, at(9))).toEqual({
      change: { ...change, settled: 8 },
      state: { ...before, failed: 1, active_at: at(9) },
    });
  });

  test('naming as many rejections as a chunk has records', () => {
    const rejections = Array.from({ length: 600 }, (_, record) => ({ record, message: 'm' }));
    const { change: named } = complete(chunk(1), state(), { ...result, rejections }, at(1));
    expect(named.rejections).toHaveLength(500);
  });
});

describe('a chunk that failed', () => {
  const before = state({ begun: 5, left: 4, attempt: { order: 5, count: 5 } });

  test('leaves the open ones, and says why and after how many attempts', () => {
    expect(fail(chunk(5), before, 'why', at(9))).toEqual({
      change: { status: 'failed', failure: 'why', attempts: 5, closed_at: at(9), ended: 8 },
      state: { ...before, left: 5, failed: 1, active_at: at(9) },
    });
  });

  test.each<[string, ImportState['attempt'], ImportState['attempt']]>([
    ['with all its attempts', { order: 5, count: 5 }, undefined],
    ['without touching those of another', { order: 6, count: 2 }, { order: 6, count: 2 }],
    ['with no attempt known', undefined, undefined],
  ])('is put back among the open ones when it is redriven, %s', (_, attempt, kept) => {
    const failed = state({ begun: 6, left: 6, failed: 1, attempt });
    const after = redrive(chunk(5, { status: 'failed' }), failed, noon);
    expect(Object.entries(after.change).filter(([, value]) => value)).toEqual([['status', 'open']]);
    expect(after.state).toEqual({
      ...state({ begun: 6, left: 5, failed: 0, guarded_until: at(3600) }),
      attempt: kept,
    });
  });

  test('is given up when it is discarded', () => {
    expect(discard(state({ failed: 2, left: 5 }), noon, at(1))).toEqual({
      change: { status: 'discarded', closed_at: at(1), settled: 8 },
      state: state({ failed: 1, left: 5, guarded_until: at(3600) }),
    });
  });
});

describe('cancelling', () => {
  test.each<[string, Partial<Chunk>, boolean]>([
    ['an open chunk that was never begun can be', {}, true],
    ['one that was begun cannot', { order: 5 }, false],
    ['one that was begun, failed and was put back cannot', { order: 3 }, false],
    ...chunkStatuses
      .filter((status) => status !== 'open')
      .map((status): [string, Partial<Chunk>, boolean] => [`one that is ${status} cannot`, { status }, false]),
  ])('%s', (_, changes, expected) => {
    expect(isCancellable(chunk(6, changes), state({ begun: 5 }))).toBe(expected);
  });

  test('ends the chunk', () => {
    const change = { status: 'cancelled', closed_at: at(3), ended: 8 };
    expect(cancellation(state({ version: 7 }), at(3))).toEqual(change);
  });

  test('is noted in the state: up to which number any chunk ever was', () => {
    const once = recordCancellation(state({ begun: 2 }), [chunk(9), chunk(4)]);
    expect(once).toEqual(state({ begun: 2, cancelled_to: 9 }));
    expect(recordCancellation(once, [chunk(5)]).cancelled_to).toBe(9);
  });

  test.each<[string, number | undefined, number, boolean]>([
    ['no chunk of a team that cancelled none', undefined, 1, false],
    ['a chunk before the last one that was cancelled', 7, 6, true],
    ['the last one that was cancelled', 7, 7, true],
    ['no chunk that came later', 7, 8, false],
  ])('may concern %s', (_, cancelled_to, order, expected) => {
    expect(mayBeCancelled(chunk(order), { cancelled_to })).toBe(expected);
  });

  test('lets the worker pass the chunks, which leave the list and can never be begun any more', () => {
    const passed = [listed(6, { cancelled: true }), listed(7, { cancelled: true })];
    expect(skip(state({ begun: 5, left: 5 }), passed)).toEqual(state({ begun: 7, left: 7 }));
  });
});

test.each([
  ['open', { canBeAcceptedAgain: false, isUnfinished: true }],
  ['completed', { canBeAcceptedAgain: false, isUnfinished: false }],
  ['failed', { canBeAcceptedAgain: false, isUnfinished: true }],
  ['discarded', { canBeAcceptedAgain: true, isUnfinished: false }],
  ['cancelled', { canBeAcceptedAgain: true, isUnfinished: false }],
] as const)('the pair and the attempts of a chunk that is %s', (status, expected) => {
  const is = { canBeAcceptedAgain: canBeAcceptedAgain(chunk(1, { status })), isUnfinished: isUnfinished({ status }) };
  expect(is).toEqual(expected);
});

describe('what can be worked of the list', () => {
  const gone = { cancelled: true };
  const recent = { accepted_at: at(-59) };
  const old = { accepted_at: at(-60) };
  test.each<[string, number, ListedChunk[], { toSkip: number[]; toWork: number[] }]>([
    ['is nothing of an empty one', 4, [], { toSkip: [], toWork: [] }],
    ['is all that follows without a gap', 4, [listed(5), listed(6), listed(7)], { toSkip: [], toWork: [5, 6, 7] }],
    ['is what was begun and put back too', 9, [listed(3), listed(7), listed(10)], { toSkip: [], toWork: [3, 7, 10] }],
    [
      'ends before a number that is not visible yet',
      4,
      [listed(5, recent), listed(7, recent)],
      { toSkip: [], toWork: [5] },
    ],
    ['is nothing while the first number is not visible yet', 4, [listed(6, recent)], { toSkip: [], toWork: [] }],
    ['goes over a number that is gone for good', 4, [listed(6, old), listed(7, old)], { toSkip: [], toWork: [6, 7] }],
    ['waits at a fresh gap behind an old one', 4, [listed(6, old), listed(8, recent)], { toSkip: [], toWork: [6] }],
    [
      'is the cancelled chunks first in it, to pass',
      4,
      [listed(5, gone), listed(6, gone), listed(7)],
      { toSkip: [5, 6], toWork: [] },
    ],
    ['ends before a cancelled chunk', 4, [listed(5), listed(6, gone), listed(7)], { toSkip: [], toWork: [5] }],
    ['passes no cancelled chunk behind a gap', 4, [listed(6, { ...gone, ...recent })], { toSkip: [], toWork: [] }],
  ])('%s', (_, begun, chunks, expected) => {
    const { toSkip, toWork } = workable(chunks, state({ begun }), noon);
    expect({ toSkip: ordersOf(toSkip), toWork: ordersOf(toWork) }).toEqual(expected);
  });
});

test.each<[string, Partial<ImportState>, boolean]>([
  ['not in a team without failed chunks', {}, false],
  ['while a chunk stands failed', { failed: 1 }, true],
  ['until the hour after a discard or redrive is over', { guarded_until: at(1) }, true],
  ['not after that hour', { guarded_until: at(0) }, false],
  ['until an hour that was stored with three digits', { guarded_until: '2026-01-01T12:00:00.001Z' }, true],
  ['not after an hour that was stored with three digits', { guarded_until: '2026-01-01T12:00:00.000Z' }, false],
])('every judged item is stamped: %s', (_, changes, expected) => {
  expect(isGuarded(state(changes), noon)).toBe(expected);
});

test.each<[string, number, number | undefined, boolean]>([
  ['not of a chunk that was just accepted', 9.999, undefined, false],
  ['of a chunk that nobody has begun', 10, undefined, true],
  ['not while a worker is at work', 3600, 9.999, false],
  ['when the worker has been silent', 3600, 10, true],
])('the sweeper wakes a team: %s', (_, waited, silent, expected) => {
  const active = silent === undefined ? {} : { active_at: at(-silent) };
  const { wakeAt } = waitingImports(listed(1, { accepted_at: at(-waited) }), state(active));
  expect(wakeAt <= noon).toBe(expected);
});

const used = { last_order: 12_345, left_seen: 2365 };
test.each<[string, OrderCounter, number, boolean]>([
  ['the first ten thousand', newOrderCounter, 10_000, false],
  ['one more', newOrderCounter, 10_001, true],
  ['a request that just fits', used, 20, false],
  ['a request of which one chunk is too many', used, 21, true],
])('the cap on open chunks: %s', (_, counter, more, expected) => {
  expect(mayExceedCap(counter, more)).toBe(expected);
});
