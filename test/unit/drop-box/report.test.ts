import { describe, expect, test } from 'vitest';
import type { Chunk } from '../../../lib/domain/imports/chunk.ts';
import { rowsOf, writeReport, writeUnread } from '../../../lib/operations/drop-box/report.ts';
import type { Drop } from '../../../lib/operations/drop-box/state.ts';
import { DropWorld } from '../../support/drop-box.ts';
import { atHour, DroppedFiles } from '../../support/samples/dropped-files.ts';

const layout = { format: 'csv', gzip: false, newline: 10, delimiter: ',', header: ['größe'] } as const;
const rows = { read: 12, accepted: 10, rejected: 2, created: 3, existing: 1 };
const counts = { applied: 1, unchanged: 2, superseded: 3, rejected: 4 };

/** The report of a file whose state has these changes. */
async function report(path: string, changes: Partial<Drop['state']>, chunks: readonly Partial<Chunk>[] = []) {
  const world = await DropWorld.open();
  const drop = await world.opened(path, '');
  Object.assign(drop.state, { received_at: atHour(1), began_at: atHour(2), ...changes });
  if (chunks.length > 0) await new DroppedFiles(world.database, world.teamId).accept(path, chunks);
  world.clock = Date.parse(atHour(5));
  const write = () => writeReport(world.dependencies(), drop);
  return { world, drop, write };
}

describe('the report', () => {
  test('of a file of contacts has its rows, and no batch', async () => {
    const { world, drop, write } = await report('contacts/c.csv', { rows, warnings: ['a warning'] });
    const expected = {
      key: drop.state.key,
      version: '1',
      status: 'completed',
      reason: null,
      type: 'contacts',
      batch_id: null,
      warnings: ['a warning'],
      notices: [],
      rows: { read: 12, accepted: 10, rejected: 2, created: 3, existing: 1 },
      failed_chunks: [],
      rejected_file: null,
      received_at: atHour(1),
      began_at: atHour(2),
      finished_at: atHour(5),
    };
    expect(await write()).toEqual(expected);
    expect(world.objects.text(`${drop.state.key}.report.json`)).toBe(`${JSON.stringify(expected, undefined, 2)}\n`);
    expect(world.objects.count(`${drop.state.key}.rejected.csv`)).toBe(0);
  });

  const failedChunks = [{ chunk_index: 1, first_line: 502, last_line: 601, reason: 'x' }];
  const completed = { status: 'completed', records: 10, counts } as const;
  const rejected = { ...completed, counts: { applied: 0, unchanged: 0, superseded: 0, rejected: 4 } } as const;
  const oneApplied = { ...completed, counts: { ...rejected.counts, applied: 1 } };
  const four = { applied: 4, unchanged: 0, superseded: 0, rejected: 0 };
  const discarded = { status: 'discarded', records: 6 } as const;
  const lost = (applied: number) => `Of 12 rows, 2 were rejected and only ${applied} were applied.`;
  const noneAccepted = 'Every row was rejected. See the file of rejected rows.';
  test('of a file of accounts has the counts of its batch', async () => {
    const { drop, write } = await report('accounts/a.csv', { rows, failedChunks }, [completed]);
    expect(await write()).toMatchObject({
      status: 'completed',
      type: 'accounts',
      batch_id: drop.batchId,
      rows: { read: 12, accepted: 6, rejected: 6, applied: 1, unchanged: 2, superseded: 3 },
      failed_chunks: failedChunks,
    });
  });

  test.each([
    ['failed because of its chunks', {}, [{ status: 'failed' }, completed], 'failed', '1 chunk of the batch failed.'],
    ['failed because it is damaged', { rows, failure: 'damaged' }, [completed], 'failed', 'damaged'],
    ['failed for the first of two reasons', { rows, failure: 'damaged' }, [{ status: 'failed' }], 'failed', 'damaged'],
    [
      'refused if nothing of it was read',
      { failure: 'empty', rows: { ...rows, read: 0, accepted: 0, rejected: 0 } },
      [],
      'refused',
      'empty',
    ],
    ['failed if no row was accepted', { rows: { ...rows, read: 2, accepted: 0 } }, [], 'failed', noneAccepted],
    [
      'failed if no accepted row was stored',
      { rows: { ...rows, read: 6, accepted: 4 } },
      [rejected],
      'failed',
      noneAccepted,
    ],
    ['completed if one row was accepted', { rows: { ...rows, read: 7, accepted: 5 } }, [oneApplied], 'completed', null],
    ['completed if it has no rows', { rows: { ...rows, read: 0, accepted: 0, rejected: 0 } }, [], 'completed', null],
    [
      'failed if a chunk was cancelled',
      { rows },
      [{ ...completed, status: 'cancelled', counts: undefined }],
      'failed',
      lost(0),
    ],
    [
      'failed if a chunk was discarded',
      { rows },
      [{ ...completed, records: 4, counts: four }, discarded],
      'failed',
      lost(4),
    ],
    [
      'failed if its batch has other rows in place of its own',
      { rows },
      [{ ...completed, counts: four }],
      'failed',
      lost(4),
    ],
    [
      'failed if rows were neither accepted nor rejected',
      { rows: { ...rows, read: 13 } },
      [completed],
      'failed',
      'Of 13 rows, 6 were rejected and only 6 were applied.',
    ],
  ] as const)('says that a file is %s', async (_, changes, chunks, status, reason) => {
    const { write } = await report('accounts/a.csv', changes, chunks);
    expect(await write()).toMatchObject({ status, reason });
  });

  test('of a file whose batch was never accepted has no batch', async () => {
    const { write } = await report('accounts/a.csv', { rows });
    expect(await write()).toMatchObject({ batch_id: null, rows: { applied: 0, unchanged: 0, superseded: 0 } });
  });

  test('names the file of rejected rows, which has all parts in their order', async () => {
    const parts = ['2,,ä,x\n', '3,,b,y\n', '4,,c,z\n'];
    const { world, drop, write } = await report('contacts/c.csv', {
      layout: { ...layout, header: [...layout.header] },
      parts: parts.length,
      partBytes: Buffer.byteLength(parts.join('')),
    });
    for (const [part, text] of parts.entries()) {
      world.objects.put(`work/${drop.fileId}/rejected/00000${part}.csv`, text);
    }
    const rejected_file = `${drop.state.key}.rejected.csv`;
    expect(await write()).toMatchObject({ rejected_file });
    expect(world.objects.text(rejected_file)!.split('\n').slice(1).join('\n')).toBe(parts.join(''));
    expect(world.objects.text(rejected_file)!.split('\n')[0]).toMatch(/größe$/);
  });
});

test('the rows of a chunk that is not completed are accepted', () => {
  const state = { rows } as Drop['state'];
  const so_far = { read: 12, accepted: 10, rejected: 2, applied: 0, unchanged: 0, superseded: 0 };
  expect(rowsOf(state, 'accounts', undefined)).toEqual(so_far);
});

test.each([
  [atHour(1), atHour(1)],
  [undefined, atHour(5)],
])('the report of a file that belongs to no team says why (arrived at %s)', async (received_at, expected) => {
  const world = await DropWorld.open();
  world.clock = Date.parse(atHour(5));
  const report = await writeUnread(
    world.dependencies(),
    { key: 'x/a.csv', version: '7', received_at },
    { status: 'refused', reason: 'No team.' },
  );
  expect(report).toEqual({
    key: 'x/a.csv',
    version: '7',
    status: 'refused',
    reason: 'No team.',
    type: null,
    batch_id: null,
    warnings: [],
    notices: [],
    rows: { read: 0, accepted: 0, rejected: 0 },
    failed_chunks: [],
    rejected_file: null,
    received_at: expected,
    began_at: atHour(5),
    finished_at: atHour(5),
  });
  expect(JSON.parse(world.objects.text('x/a.csv.report.json')!)).toEqual(report);
});
