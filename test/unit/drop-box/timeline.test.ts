import { expect, test } from 'vitest';
import { dropTimeline } from '../../../bin/admin/operations/drop-box/list.ts';
import { ModelTable } from '../../support/models/model-table.ts';
import { atHour, DroppedFiles } from '../../support/samples/dropped-files.ts';

const database = new ModelTable();
const show = (files: DroppedFiles, path: string) => dropTimeline(files.dependencies, files.teamId, files.key(path));
const counts = { applied: 1, unchanged: 2, superseded: 3, rejected: 4 };
const event = (name: string, at: string, rest: object = {}) => ({ event: name, at, until: null, counts: {}, ...rest });

test('only a file that was dropped has a timeline', async () => {
  const files = new DroppedFiles(database);
  files.drop('accounts/b.csv', 1);
  expect(await show(files, 'accounts/a.csv')).toBeUndefined();
  expect(await show(files, 'accounts/b.csv')).toBeDefined();
});

test('a file that waits was received', async () => {
  const files = new DroppedFiles(database);
  files.drop('accounts/a.csv', 1);
  expect(await show(files, 'accounts/a.csv')).toMatchObject({
    key: files.key('accounts/a.csv'),
    state: 'waiting',
    chunks_open: 0,
    chunks_failed: 0,
    timeline: [event('received', atHour(1))],
  });
});

test('a file of contacts has no chunks, whatever batches the team has', async () => {
  const files = new DroppedFiles(database);
  await files.acceptBatch('null', [{}]);
  const rows = { read: 10, accepted: 8, rejected: 2, created: 5, existing: 3 };
  await files.begin('contacts/a.csv', { phase: 'closing', read_at: atHour(3), rows });
  expect((await show(files, 'contacts/a.csv'))!.timeline).toEqual([
    event('received', atHour(1)),
    event('reading began', atHour(2)),
    event('reading ended', atHour(3), { counts: { accepted: 8, rejected: 2 } }),
  ]);
});

test('the chunks of a file are counted by state, and their times are those of the first and the last', async () => {
  const files = new DroppedFiles(database);
  await files.begin('accounts/a.csv');
  await files.accept('accounts/a.csv', [
    { status: 'completed', counts, accepted_at: atHour(4), closed_at: atHour(9) },
    { status: 'completed', counts, accepted_at: atHour(3), closed_at: atHour(7) },
    { status: 'completed', accepted_at: atHour(5), closed_at: atHour(8) },
    { status: 'completed', counts, accepted_at: atHour(5), records: 1 },
    { status: 'failed', failure: 'x', accepted_at: atHour(5) },
    { status: 'failed', failure: 'x', accepted_at: atHour(5) },
    { accepted_at: atHour(6), records: 7 },
  ]);
  expect(await show(files, 'accounts/a.csv')).toMatchObject({ chunks_open: 1, chunks_failed: 2 });
  expect((await show(files, 'accounts/a.csv'))!.timeline).toEqual([
    event('received', atHour(1)),
    event('reading began', atHour(2)),
    event('chunks accepted', atHour(3), { until: atHour(6), counts: { chunks: 7, rows: 2508 } }),
    event('chunks applied', atHour(7), {
      until: atHour(9),
      counts: { chunks: 4, applied: 3, unchanged: 6, superseded: 9, rejected: 12 },
    }),
  ]);
});

test('a file that has ended has a report, and the time of a single chunk is one', async () => {
  const files = new DroppedFiles(database);
  const rows = { read: 10, accepted: 6, rejected: 4, applied: 1, unchanged: 2, superseded: 3 };
  const outcome = { status: 'completed', reason: null, rows, finished_at: atHour(6) } as const;
  const sent = { read: 10, accepted: 10, rejected: 0, created: 0, existing: 0 };
  await files.begin('accounts/a.csv', { phase: 'done', read_at: atHour(4), rows: sent, outcome });
  await files.accept('accounts/a.csv', [{ status: 'completed', counts, records: 10, closed_at: atHour(5) }]);
  expect((await show(files, 'accounts/a.csv'))!.timeline).toEqual([
    event('received', atHour(1)),
    event('reading began', atHour(2)),
    event('chunks accepted', atHour(3), { counts: { chunks: 1, rows: 10 } }),
    event('reading ended', atHour(4), { counts: { accepted: 10, rejected: 0 } }),
    event('chunks applied', atHour(5), { counts: { chunks: 1, ...counts } }),
    event('report written', atHour(6)),
  ]);
});
