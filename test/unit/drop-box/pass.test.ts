import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { Problem, type ProblemCode } from '../../../lib/domain/values/problem.ts';
import { FileRefused } from '../../../lib/files/bytes.ts';
import type { FileChunk } from '../../../lib/files/file.ts';
import { rejectedLine } from '../../../lib/files/rejected.ts';
import { NoCapacity } from '../../../lib/operations/drop-box/capacity.ts';
import { readChunks } from '../../../lib/operations/drop-box/pass.ts';
import type { RejectedRow } from '../../../lib/operations/drop-box/send.ts';
import { LeaseLost } from '../../../lib/operations/drop-box/state.ts';
import { DropWorld } from '../../support/drop-box.ts';

const always = () => true;
const never = () => false;
/** Rows of two cells under a header of one, so that reading them is fast. */
const chunks = (count: number) => `unique_id\n${'x,y\n'.repeat(500 * (count - 1) + 1)}`;

async function open(content: string | Buffer, path = 'contacts/c.csv') {
  const world = await DropWorld.open();
  const drop = await world.opened(path, content);
  const save = vi.spyOn(drop, 'save');
  const read = vi.spyOn(world.objects, 'read');
  const pass = (
    take: (chunk: FileChunk) => Promise<readonly RejectedRow[]> = async () => [],
    hasTime: () => boolean = always,
  ) => readChunks(world, drop, hasTime, take);
  const parts = () =>
    Array.from({ length: drop.state.parts }, (_, part) =>
      world.objects.text(`work/${drop.fileId}/rejected/${String(part).padStart(6, '0')}.csv`),
    );
  return { world, drop, save, read, pass, parts };
}

/** Rejects the first row of each chunk. */
const rejecting = (reason: string) => async (chunk: FileChunk) => [
  { row: chunk.rows[0]!, errors: [{ column: '', reason }] },
];

describe('an attempt', () => {
  test('takes every chunk of the file, and ends with its position', async () => {
    const { drop, pass } = await open(chunks(3));
    const taken: number[] = [];
    expect(
      await pass(async ({ index, rows }) => {
        taken.push(index, rows.length);
        return [];
      }),
    ).toBe(true);
    expect(taken).toEqual([0, 500, 1, 500, 2, 1]);
    expect(drop.state).toMatchObject({ layout: { format: 'csv', header: ['unique_id'] }, place: { chunk: 3 } });
  });

  test.each([
    ['a file', false],
    ['a compressed file', true],
  ])('continues %s where the previous one stopped', async (_, gzip) => {
    const content = chunks(3);
    const { drop, read, pass } = await open(gzip ? gzipSync(content) : content);
    expect(await pass(undefined, never)).toBe(false);
    const { place } = drop.state;
    expect(place).toMatchObject({ chunk: 1, offset: 10 + 500 * 4 });
    const taken: number[] = [];
    await pass(async ({ index }) => {
      taken.push(index);
      return [];
    });
    expect(taken).toEqual([1, 2]);
    expect(read.mock.calls.map(([, , offset]) => offset)).toEqual([0, gzip ? 0 : place!.offset]);
  });

  test.each([false, true])(
    'ends in time in a file of blank lines, with the chunks before them (gzip: %s)',
    async (gzip) => {
      const content = `${chunks(2)}${'\n'.repeat(5_000_000)}`;
      const { drop, pass } = await open(gzip ? gzipSync(content) : content);
      drop.state.stalls = 3;
      const taken: number[] = [];
      const take = async ({ index }: FileChunk) => {
        taken.push(index);
        return [];
      };
      const answers = [true, false];
      expect(await pass(take, () => answers.shift()!)).toBe(false);
      expect([taken, drop.state.place?.chunk, drop.state.stalls]).toEqual([[0], 1, 0]);
      // A further attempt that does not reach the next chunk makes no progress.
      drop.state.stalls = 3;
      expect(await pass(take, never)).toBe(false);
      expect([taken, drop.state.stalls]).toEqual([[0], 3]);
      expect(await pass(take)).toBe(true);
      expect(taken).toEqual([0, 1]);
    },
  );

  test('leaves no object open, whether it ends well or not', async () => {
    const { world, pass } = await open(chunks(2));
    await pass(undefined, never);
    await expect(pass(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    await expect.poll(() => world.objects.open).toBe(0);
  });

  test('decides the format by the name of the file', async () => {
    const { drop, pass } = await open('{,unique_id\nx,a\n', 'contacts/c.csv');
    await pass();
    expect(drop.state.layout!.format).toBe('csv');
  });

  test('warns of rows that are probably not intended, once for the whole file', async () => {
    const { drop, pass } = await open(`unique_id\n1.5E+10\n${'x\n'.repeat(600)}`);
    await pass(undefined, never);
    const found = () => drop.state.notices.map(({ kind, count }) => [kind, count]);
    expect(found()).toEqual([
      ['id_scientific', 1],
      ['repeated_row', 498],
    ]);
    expect(drop.state.notices[1]!.first_rows).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    await pass();
    const whole = found();
    delete drop.state.place;
    await pass();
    // An attempt that continues compares its rows with one another.
    expect([whole, found()]).toEqual([
      [
        ['id_scientific', 1],
        ['repeated_row', 498 + 100],
      ],
      [
        ['id_scientific', 1],
        ['repeated_row', 599],
      ],
    ]);
  });

  test('keeps the first 50 warnings of the file, also when it is continued', async () => {
    const unknown = Array.from({ length: 60 }, (_, n) => `unknown_${n}`);
    const { drop, pass } = await open([['unique_id', ...unknown].join(','), ...Array(501).fill('x')].join('\n'));
    await pass(undefined, never);
    const { warnings } = drop.state;
    expect(warnings).toEqual(unknown.slice(0, 50).map((name) => expect.stringContaining(`column ${name} is`)));
    await pass();
    expect(drop.state.warnings).toEqual(warnings);
  });
});

describe('the state is saved', () => {
  test.each([
    [9, 1],
    [10, 2],
    [25, 3],
  ])('for %d chunks %d times: after every tenth and at the end', async (count, times) => {
    const { drop, save, pass } = await open(chunks(count));
    drop.state.stalls = 3;
    await pass();
    expect(save).toHaveBeenCalledTimes(times);
    expect(drop.state.stalls).toBe(0);
  });

  test.each([
    ['a megabyte', 1_000_000, 1],
    ['more than a megabyte', 1_000_001, 2],
  ])('in the middle of a file only if %s of rejected rows is not saved', async (_, size, times) => {
    const { save, pass, parts } = await open(chunks(2));
    await pass(async (chunk) => {
      if (chunk.index > 0) return [];
      const row = chunk.rows[0]!;
      const layout = chunk.next.layout;
      const short = rejectedLine(layout, row, [{ column: '', reason: '' }]).length;
      return [{ row, errors: [{ column: '', reason: 'x'.repeat(size - short) }] }];
    });
    expect(parts().map((text) => text!.length)).toEqual([size]);
    expect(save).toHaveBeenCalledTimes(times);
  });

  test('with the rejected rows of its chunks, once', async () => {
    const { drop, pass, parts } = await open(chunks(11));
    await pass(rejecting('größer'));
    const line = (chunk: number) => `${chunk * 500 + 2},,größer,"x,y",\n`;
    const saved = [Array.from({ length: 10 }, (_, chunk) => line(chunk)).join(''), line(10)];
    expect(parts()).toEqual(saved);
    expect(drop.state.partBytes).toBe(Buffer.byteLength(saved.join('')));
  });

  test('without a part if no row was rejected', async () => {
    const { drop, save, pass } = await open(chunks(1));
    await pass();
    expect(save).toHaveBeenCalledTimes(1);
    expect([drop.state.parts, drop.state.partBytes]).toEqual([0, 0]);
  });
});

describe('an error in the third chunk', () => {
  const problem = (code: ProblemCode) => new Problem(code);
  const failing = (error: Error) => (chunk: FileChunk) =>
    chunk.index === 2 ? Promise.reject(error) : rejecting('wrong')(chunk);

  test.each([
    ['that the file is damaged', new FileRefused('damaged')],
    ['that there is no capacity for a chunk', new NoCapacity()],
    ['that the team has too many open chunks', problem('too_many_requests')],
  ])('%s keeps the chunks before it', async (_, error) => {
    const { drop, save, pass, parts } = await open(chunks(4));
    await expect(pass(failing(error))).rejects.toBe(error);
    expect(save).toHaveBeenCalledTimes(1);
    expect(drop.state.place).toMatchObject({ chunk: 2 });
    expect(parts()).toEqual(['2,,wrong,"x,y",\n502,,wrong,"x,y",\n']);
  });

  test.each([
    ['that the table is not available', problem('unavailable')],
    ['that the lease is lost', new LeaseLost()],
  ])('%s saves nothing', async (_, error) => {
    const { save, pass } = await open(chunks(4));
    await expect(pass(failing(error))).rejects.toBe(error);
    expect(save).not.toHaveBeenCalled();
  });
});
