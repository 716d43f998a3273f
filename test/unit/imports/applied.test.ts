import { describe, expect, test } from 'vitest';
import type { Chunk } from '../../../lib/domain/imports/chunk.ts';
import type { DropState } from '../../../lib/store/drop-box/drop-files.ts';
import { csv } from '../../support/samples/account-files.ts';
import { atHour } from '../../support/samples/dropped-files.ts';
import { away, failed, givenDrop as given } from './given-drop.ts';

const counts = { applied: 0, unchanged: 0, superseded: 0, rejected: 1 };
const rejecting = (...records: number[]): Partial<Chunk> => ({
  status: 'completed',
  counts,
  rejections: records.map((record) => ({ record, message: `wrong ${record}` })),
});

/** Rows that were sent, and are counted by their chunks. */
const sent = (accepted: number) => ({ read: accepted, accepted, rejected: 0, created: 0, existing: 0 });
const applied = { ...counts, applied: 1, rejected: 0 };

describe('a file whose chunks are open', () => {
  test.each([
    [0, 1],
    [5, 1],
    [6, 2],
    [100, 25],
    [238, 60],
    [900, 60],
  ])('is looked at a quarter of its %d seconds later', async (seconds, after) => {
    const { world, work } = await given({ state: { phase: 'applying', read_at: atHour(12) }, chunks: [{}] });
    world.clock += seconds * 1000;
    expect(await work()).toEqual({ after, isRead: true });
  });

  test('counts these from its arrival if it is not known when reading ended', async () => {
    const { work } = await given({
      state: { phase: 'applying', received_at: '2026-03-01T11:59:00.000Z' },
      chunks: [{}],
    });
    expect(await work()).toEqual({ after: 15, isRead: true });
  });

  test('is not read again if all of them were applied', async () => {
    const { work, reports, unreadable } = await given({
      state: { phase: 'applying', rows: sent(2) },
      chunks: [
        { status: 'completed', counts: applied },
        { status: 'completed', counts: applied, rejections: [] },
      ],
    });
    expect(await work({ objects: unreadable(away) })).toBe('done');
    expect(reports).toMatchObject([{ status: 'completed', failed_chunks: [] }]);
  });
});

describe('a file with rejected records', () => {
  const content = csv(...Array.from({ length: 502 }, (_, n) => (n % 2 === 0 ? 'junk' : `n${n},,CHK,checking,`)));

  test('is read from its beginning to name their rows', async () => {
    const place = {
      layout: { format: 'csv', gzip: false, newline: 10, delimiter: ',', header: [] },
      offset: 9,
      line: 9,
    };
    const { world, file, work } = await given({
      content,
      state: { phase: 'applying', place: { ...place, chunk: 1 } as unknown as DropState['place'] },
      chunks: [rejecting(0, 2, 999), rejecting(0)],
    });
    expect(await work()).toBe('done');
    expect(world.rejected(file).map((line) => line.split(',').slice(0, 3))).toEqual([
      ['3', '', 'wrong 0'],
      ['7', '', 'wrong 2'],
      ['503', '', 'wrong 0'],
    ]);
  });

  test('has its failed chunks in the report, by their lines', async () => {
    const { work, reports } = await given({
      content,
      state: { phase: 'applying' },
      chunks: [failed, { status: 'completed', counts }],
    });
    expect(await work()).toBe('done');
    expect(reports[0]!.failed_chunks).toEqual([{ chunk_index: 0, first_line: 2, last_line: 501, reason: 'broken' }]);
    expect(reports[0]!.rejected_file).toBeNull();
  });

  test('names no rows of a chunk that was not sent', async () => {
    const { world, file, work, reports } = await given({
      content,
      state: { phase: 'applying', rows: sent(2) },
      chunks: [{ ...rejecting(0), counts: { ...counts, applied: 1 } }],
    });
    expect(await work()).toBe('done');
    expect(reports).toMatchObject([{ status: 'completed' }]);
    expect(world.rejected(file)).toEqual([expect.stringMatching(/^3,,wrong 0/)]);
  });

  test('has at most 100 failed chunks in the report', async () => {
    const known = Array.from({ length: 99 }, () => ({ chunk_index: 0, first_line: 1, last_line: 2, reason: 'x' }));
    const { work, reports } = await given({
      content,
      state: { phase: 'applying', failedChunks: known },
      chunks: [{ status: 'failed' }, failed],
    });
    expect(await work()).toBe('done');
    expect(reports[0]!.failed_chunks).toEqual([
      ...known,
      { chunk_index: 0, first_line: 2, last_line: 501, reason: 'unknown' },
    ]);
  });

  test('continues later if the time is over', async () => {
    const { work } = await given({ content, state: { phase: 'naming' }, chunks: [failed, failed] });
    expect(await work({}, () => false)).toEqual({ after: 0, isRead: true });
  });
});
