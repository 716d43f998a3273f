import { describe, expect, test } from 'vitest';
import {
  beginAttempt,
  byTurn,
  type Chunk,
  complete,
  discard,
  fail,
  type ImportState,
  isEnded,
  isGuarded,
  newImportState,
  sameChunk,
  wantsHandOver,
} from '../../lib/domain/chunk.ts';

const noon = Date.parse('2026-01-01T12:00:00.000Z');
const at = (seconds: number) => new Date(noon + seconds * 1000).toISOString();

const chunk = (index: number, changes: Partial<Chunk> = {}): Chunk => ({
  team_id: 't',
  batch_id: 'b',
  claim: `CHUNK#${index}`,
  index,
  status: 'open',
  payload_id: `p${index}`,
  parts: 1,
  records: 2,
  accepted_at: at(0),
  attempts: 0,
  version: 1,
  ...changes,
});
const refOf = ({ batch_id, claim }: Chunk) => ({ batch_id, claim });
const state = (changes: Partial<ImportState> = {}): ImportState => ({ ...newImportState('t'), ...changes });

const result = { counts: { applied: 1, unchanged: 1, superseded: 0, rejected: 0 }, rejections: [] };

describe('a first attempt', () => {
  test('gives the chunk the next order number, counts, and says what is in work', () => {
    const { chunks, state: next } = beginAttempt(chunk(0), state({ last_order: 4 }), undefined);
    expect(chunks).toEqual([chunk(0, { order: 5, attempts: 1 })]);
    expect(next).toEqual(state({ last_order: 5, in_work: refOf(chunk(0)) }));
  });

  test.each(['completed', 'failed', 'discarded'] as const)('lets the chunk before it be when that is %s', (status) => {
    const previous = chunk(0, { order: 1, status });
    const { chunks, state: next } = beginAttempt(chunk(1), state({ last_order: 1, failed: 1 }), previous);
    expect(chunks).toHaveLength(1);
    expect(next.failed).toBe(1);
  });

  test('marks the chunk before it failed when that was left open', () => {
    const previous = chunk(0, { order: 1, attempts: 2 });
    const before = state({ last_order: 1, in_work: refOf(previous) });
    const { chunks, state: next } = beginAttempt(chunk(1), before, previous);
    expect(chunks).toEqual([
      chunk(1, { order: 2, attempts: 1 }),
      { ...previous, status: 'failed', failure: expect.stringContaining('message was lost') },
    ]);
    expect(next).toEqual(state({ last_order: 2, in_work: refOf(chunk(1)), failed: 1 }));
  });
});

describe('a later attempt', () => {
  test('keeps the order number', () => {
    const begun = chunk(0, { order: 3, attempts: 1 });
    const { chunks, state: next } = beginAttempt(begun, state({ last_order: 7 }), begun);
    expect(chunks).toEqual([{ ...begun, attempts: 2 }]);
    expect(next.last_order).toBe(7);
  });

  test('of a failed chunk leaves what is in work as it is', () => {
    const other = chunk(1, { order: 4 });
    const before = state({ last_order: 4, in_work: refOf(other), failed: 1 });
    const { chunks, state: next } = beginAttempt(chunk(0, { order: 3, status: 'failed' }), before, undefined);
    expect(chunks).toHaveLength(1);
    expect(next).toEqual(before);
  });
});

describe('the end of a chunk', () => {
  const work = refOf(chunk(0));

  test('is to be completed', () => {
    const { chunks, state: next } = complete(chunk(0), state({ in_work: work }), result, at(9));
    expect(chunks).toEqual([chunk(0, { status: 'completed', closed_at: at(9), ...result })]);
    expect(next).toEqual(state());
  });

  test('may be to be completed after it had failed, and is then no longer counted so', () => {
    const before = state({ failed: 2, in_work: refOf(chunk(1)) });
    const { chunks, state: next } = complete(chunk(0, { status: 'failed', failure: 'x' }), before, result, at(9));
    expect(chunks[0]).toMatchObject({ status: 'completed', failure: undefined });
    expect(next).toEqual(state({ failed: 1, in_work: refOf(chunk(1)) }));
  });

  test('may be to stand failed, which is counted', () => {
    const { chunks, state: next } = fail(chunk(0), state({ in_work: work }), 'why');
    expect(chunks).toEqual([chunk(0, { status: 'failed', failure: 'why' })]);
    expect(next).toEqual(state({ failed: 1 }));
  });

  test('may be to be discarded, after which items are guarded for an hour', () => {
    const { chunks, state: next } = discard(chunk(0, { status: 'failed', failure: 'x' }), state({ failed: 1 }), noon);
    expect(chunks[0]).toMatchObject({ status: 'discarded', closed_at: at(0) });
    expect(next).toEqual(state({ guarded_until: at(3600) }));
  });

  test('names as many rejections as a chunk has records', () => {
    const rejections = Array.from({ length: 600 }, (_, record) => ({ record, message: 'm' }));
    const { chunks } = complete(chunk(0), state(), { ...result, rejections }, at(1));
    expect(chunks[0]?.rejections).toHaveLength(500);
  });

  test('is final when it is completed or discarded', () => {
    const statuses = ['open', 'completed', 'failed', 'discarded'] as const;
    expect(statuses.filter((status) => isEnded(chunk(0, { status })))).toEqual(['completed', 'discarded']);
  });
});

test('items are guarded while a chunk stands failed, and for a while after one was discarded', () => {
  expect(isGuarded(state(), at(0))).toBe(false);
  expect(isGuarded(state({ failed: 1 }), at(0))).toBe(true);
  expect(isGuarded(state({ guarded_until: at(1) }), at(0))).toBe(true);
  expect(isGuarded(state({ guarded_until: at(1) }), at(1))).toBe(false);
});

test('a chunk is known by its batch and its claim', () => {
  expect(sameChunk(chunk(0), chunk(0, { payload_id: 'other' }))).toBe(true);
  expect(sameChunk(chunk(0), chunk(1))).toBe(false);
  expect(sameChunk(chunk(0), { ...refOf(chunk(0)), batch_id: 'other' })).toBe(false);
  expect(sameChunk(undefined, chunk(0))).toBe(false);
});

describe('the sweeper', () => {
  const hours = 3600;
  test.each<[what: string, changes: Partial<Chunk>, seconds: number, wants: boolean]>([
    ['leaves a chunk to who has just accepted it', {}, 39, false],
    ['hands over a chunk that was forgotten, within two minutes', {}, 41, true],
    ['leaves a chunk that is with the queue', { handed_over_at: at(1) }, 6 * hours, false],
    ['hands over a chunk whose message must be lost', { handed_over_at: at(1) }, 13 * hours, true],
    ['leaves a completed chunk', { status: 'completed' }, 13 * hours, false],
    ['leaves a failed chunk to the operator', { status: 'failed' }, 13 * hours, false],
    ['leaves a discarded chunk', { status: 'discarded' }, 13 * hours, false],
  ])('%s', (_, changes, seconds, wants) => {
    expect(wantsHandOver(chunk(0, changes), noon + seconds * 1000)).toBe(wants);
  });

  test('hands over what was begun first, then in the order of acceptance, then in the order of an upload', () => {
    const chunks = [
      chunk(0, { accepted_at: at(0), order: 8 }),
      chunk(1, { accepted_at: at(9), order: 7 }),
      chunk(2, { accepted_at: at(1) }),
      chunk(3, { accepted_at: at(2) }),
      chunk(4, { accepted_at: at(2) }),
    ];
    const expected = [1, 0, 2, 3, 4];
    expect(chunks.toSorted(byTurn).map(({ index }) => index)).toEqual(expected);
    expect(
      chunks
        .toReversed()
        .sort(byTurn)
        .map(({ index }) => index),
    ).toEqual(expected);
  });
});
