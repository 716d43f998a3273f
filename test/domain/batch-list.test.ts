import { describe, expect, test } from 'vitest';
import { type BatchPage, batchList, batchPageOf, writeCursor } from '../../lib/domain/batch-list.ts';
import { batchStatusOf } from '../../lib/domain/batch-status.ts';
import type { Chunk } from '../../lib/domain/chunk.ts';
import { Problem } from '../../lib/domain/problem.ts';

const cursor = writeCursor({ limit: 5, after: 'a' });
const chunk: Chunk = {
  team_id: 't',
  batch_id: 'b',
  claim: 'CHUNK#0',
  index: 0,
  status: 'open',
  order: 1,
  payload_id: 'p',
  parts: 1,
  records: 10,
  accepted_at: '2026-01-01T00:00:00.000000Z',
};
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a page shows batches without their errors', () => {
  const { errors, ...batch } = batchStatusOf('b', [chunk])!;
  const page = { batches: [batch], limit: 20, has_more: true, next_cursor: cursor };
  expect(batchList.parse({ ...page, batches: [{ ...batch, errors }] })).toEqual(page);
});

describe('a page of batches', () => {
  test.each<[string, Parameters<typeof batchPageOf>[0], BatchPage]>([
    ['has twenty from the start without parameters', {}, { limit: 20 }],
    ['has as many as the limit', { limit: 7 }, { limit: 7 }],
    ['has the limit of the cursor', { cursor }, { limit: 5, after: 'a' }],
    ['may repeat the limit of the cursor', { cursor, limit: 5 }, { limit: 5, after: 'a' }],
    ['has at least one', { cursor: writeCursor({ limit: 1, after: 'a' }) }, { limit: 1, after: 'a' }],
    ['has at most a hundred', { cursor: writeCursor({ limit: 100, after: 'a' }) }, { limit: 100, after: 'a' }],
  ])('%s', (_, sent, page) => {
    expect(batchPageOf(sent)).toEqual(page);
  });

  const detailsOf = (sent: Parameters<typeof batchPageOf>[0]) => {
    try {
      return batchPageOf(sent);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { code: error.code, details: error.details };
    }
  };

  test.each<[string, string]>([
    ['is no base64', '???'],
    ['is no JSON', Buffer.from('{').toString('base64url')],
    ['is no list', encoded(5)],
    ['has no position', encoded([5])],
    ['has an empty position', encoded([5, ''])],
    ['has a position that is a number', encoded([5, 7])],
    ['has no limit', encoded([null, 'a'])],
    ['has a limit of zero', encoded([0, 'a'])],
    ['has a limit above the maximum', encoded([101, 'a'])],
    ['has a limit that is not whole', encoded([5.5, 'a'])],
    ['has a limit as text', encoded(['5', 'a'])],
  ])('a cursor that %s is an error', (_, wrong) => {
    const details = [{ path: 'cursor', message: 'is not a cursor of this list' }];
    expect(detailsOf({ cursor: wrong })).toEqual({ code: 'invalid_request', details });
  });

  test('another limit than that of the cursor is an error', () => {
    const message = 'must be the same as in the request that returned the cursor, or be left out';
    expect(detailsOf({ cursor, limit: 6 })).toEqual({ code: 'invalid_request', details: [{ path: 'limit', message }] });
  });
});
