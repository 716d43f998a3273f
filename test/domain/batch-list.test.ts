import { expect, test } from 'vitest';
import { batchList } from '../../lib/domain/batch-responses.ts';
import { batchStatusOf } from '../../lib/domain/batch-status.ts';
import type { Chunk } from '../../lib/domain/chunk.ts';

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

test('a page shows batches without their errors', () => {
  const { errors, ...batch } = batchStatusOf('b', [chunk])!;
  const page = { batches: [batch], limit: 20, has_more: true, next_cursor: 'c' };
  expect(batchList.parse({ ...page, batches: [{ ...batch, errors }] })).toEqual(page);
});
