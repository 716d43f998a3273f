import { describe, expect, test } from 'vitest';
import { batchStatusOf } from '../../../lib/domain/imports/batch-status.ts';
import type { Chunk } from '../../../lib/domain/imports/chunk.ts';
import { chunkOf } from '../../support/samples/samples.ts';

const completed = (index: number): Partial<Chunk> => ({
  status: 'completed',
  counts: { applied: 4, unchanged: 3, superseded: 2, rejected: 1 },
  rejections: [{ record: index, message: 'too large' }],
  closed_at: `2026-01-01T00:01:0${index}.000Z`,
});
const chunk = (index: number, changes: Partial<Chunk> = {}): Chunk =>
  chunkOf(index, {
    accepted_at: `2026-01-01T00:00:0${index}.000Z`,
    ...(changes.status === undefined ? completed(index) : {}),
    ...changes,
  });

describe('the state of a batch', () => {
  test('is nothing without chunks', () => {
    expect(batchStatusOf('b', [])).toBeUndefined();
  });

  test('names the first hundred failed indexes, ascending, of chunks that have one', () => {
    const failed = Array.from({ length: 120 }, (_, n) => chunk(119 - n, { status: 'failed' }));
    const upload = chunk(0, { status: 'failed', digest: undefined, claim: 'UPLOAD#u#0' });
    const { chunks } = batchStatusOf('b', [upload, ...failed.slice(0, -1), chunk(0)])!;
    expect(chunks.failed_indexes).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  });

  test('sums up what came of its completed chunks', () => {
    expect(batchStatusOf('b', [chunk(1), chunk(0)])).toEqual({
      batch_id: 'b',
      type: 'account',
      status: 'completed',
      chunks: { accepted: 2, completed: 2, failed: 0 },
      records: { accepted: 20, applied: 8, unchanged: 6, superseded: 4, rejected: 2 },
      errors: [
        { chunk: 1, record: 1, message: 'too large' },
        { chunk: 0, record: 0, message: 'too large' },
      ],
      inserted_at: '2026-01-01T00:00:00.000Z',
      completed_at: '2026-01-01T00:01:01.000Z',
    });
  });

  const open = chunk(1, { status: 'open' });
  const failed = chunk(2, { status: 'failed', failure: 'its stored records cannot be read' });
  const cancelled = chunk(5, { status: 'cancelled', closed_at: '2026-01-01T10:00:00.000Z' });
  const discarded = chunk(3, { status: 'discarded', closed_at: '2026-01-01T09:00:00.000Z' });
  test.each([
    ['processing while a chunk is open', [chunk(0), open], 'processing', null],
    ['processing while a chunk is open although one failed', [open, failed], 'processing', null],
    ['failed when one failed and none is open', [chunk(0), failed], 'failed', null],
    ['failed when one failed and one was discarded', [failed, discarded], 'failed', null],
    ['completed when the others were cancelled', [chunk(0), cancelled], 'completed', '2026-01-01T10:00:00.000Z'],
    ['processing while a chunk is open although others were cancelled', [open, cancelled], 'processing', null],
    ['completed when all are', [chunk(0), chunk(4)], 'completed', '2026-01-01T00:01:04.000Z'],
    ['processing again when a chunk was accepted later', [chunk(0), chunk(4), open], 'processing', null],
  ])('is %s', (_, chunks, status, completed_at) => {
    expect(batchStatusOf('b', chunks)).toMatchObject({ status, completed_at });
  });

  test('was accepted with its first chunk, wherever that is in the list', () => {
    for (const chunks of [
      [chunk(0), chunk(1)],
      [chunk(1), chunk(0), chunk(2)],
    ]) {
      expect(batchStatusOf('b', chunks)?.inserted_at).toBe(chunk(0).accepted_at);
    }
  });

  test('has no counts of a completed chunk that has none', () => {
    const bare = chunk(0, { counts: undefined, rejections: undefined });
    const expected = { status: 'completed', records: { applied: 0 }, errors: [], completed_at: bare.closed_at };
    expect(batchStatusOf('b', [bare])).toMatchObject(expected);
    expect(batchStatusOf('b', [bare, chunk(1, { closed_at: undefined })])?.completed_at).toBe(bare.closed_at);
  });

  test.each([
    [
      'a discarded chunk nowhere else',
      [chunk(0), discarded],
      { accepted: 1, completed: 1, failed: 0, discarded: 1 },
      10,
    ],
    [
      'a cancelled chunk as accepted',
      [chunk(0), cancelled],
      { accepted: 2, completed: 1, failed: 0, cancelled: 1 },
      20,
    ],
    ['open and failed chunks as accepted', [chunk(0), open, failed], { accepted: 3, completed: 1, failed: 1 }, 30],
  ])('counts %s', (_, chunks, counted, accepted) => {
    const records = { accepted, applied: 4, unchanged: 3, superseded: 2, rejected: 1 };
    expect(batchStatusOf('b', chunks)).toMatchObject({ chunks: counted, records });
  });
  test.each<[string, Chunk[], number, string, number[]]>([
    ['processing while chunks are missing', [chunk(1)], 4, 'processing', [0, 2, 3]],
    ['processing while chunks are missing although one failed', [chunk(0), failed], 4, 'processing', [1, 3]],
    ['completed when none is missing', [chunk(0), chunk(1)], 2, 'completed', []],
    ['failed when none is missing and one failed', [chunk(0), chunk(1), failed], 3, 'failed', []],
    [
      'completed when those that are left were cancelled or discarded',
      [chunk(0), chunk(1), chunk(2), discarded, chunk(4), cancelled],
      6,
      'completed',
      [],
    ],
  ])('of which the number of chunks is known is %s', (_, chunks, expected, status, missing) => {
    expect(batchStatusOf('b', chunks, { expected })).toMatchObject({ status, chunks: { expected, missing } });
  });

  test('names the first hundred missing indexes', () => {
    const { chunks } = batchStatusOf('b', [chunk(1)], { expected: 1_000_000 })!;
    expect(chunks.missing).toHaveLength(100);
    expect(chunks.missing?.slice(0, 2)).toEqual([0, 2]);
    expect(chunks.missing?.at(-1)).toBe(100);
  });

  test('names the first hundred errors', () => {
    const rejections = Array.from({ length: 70 }, (_, each) => ({ record: each, message: 'm' }));
    const { errors } = batchStatusOf('b', [chunk(0, { rejections }), chunk(1, { rejections })])!;
    expect(errors).toHaveLength(100);
    expect(errors.at(-1)).toEqual({ chunk: 1, record: 29, message: 'm' });
  });
});
