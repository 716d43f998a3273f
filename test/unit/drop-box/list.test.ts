import { describe, expect, test } from 'vitest';
import { findDroppedFile, isInProgress, listDroppedFiles } from '../../../bin/admin/operations/drop-box/list.ts';
import { dropBatchId } from '../../../lib/domain/imports/own-batch.ts';
import { derivedFileId } from '../../../lib/store/table/ids.ts';
import { ModelTable } from '../../support/models/model-table.ts';
import { atHour, DroppedFiles } from '../../support/samples/dropped-files.ts';

const database = new ModelTable();
const open = () => new DroppedFiles(database);
const list = (files: DroppedFiles, limit = 20) => listDroppedFiles(files.dependencies, files.teamId, limit);
const find = (files: DroppedFiles, path: string) => findDroppedFile(files.dependencies, files.teamId, files.key(path));
const namesOf = (listed: readonly { key: string }[]) => listed.map(({ key }) => key.split('/').at(-1));
const noRows = { read: 0, accepted: 0, rejected: 0 };

describe('the list of dropped files', () => {
  test('has a file that waits', async () => {
    const files = open();
    files.drop('contacts/a.csv', 3, 'v7');
    expect(await list(files)).toEqual([
      {
        key: files.key('contacts/a.csv'),
        version: 'v7',
        type: 'contacts',
        state: 'waiting',
        reason: null,
        warnings: [],
        notices: [],
        rows: noRows,
        batch_id: null,
        received_at: atHour(3),
        began_at: null,
        finished_at: null,
        report_key: null,
      },
    ]);
  });

  test('has a file that is refused because of its folder', async () => {
    const files = open();
    files.drop('other/a.csv', 3);
    expect(await list(files)).toMatchObject([
      {
        type: null,
        state: 'refused',
        reason: expect.stringMatching(/wrong place/),
        rows: noRows,
        batch_id: null,
        report_key: `${files.key('other/a.csv')}.report.json`,
      },
    ]);
  });

  test('has a file of contacts that is read', async () => {
    const files = open();
    await files.begin('contacts/a.csv', { rows: { read: 7, accepted: 5, rejected: 2, created: 3, existing: 1 } });
    expect(await list(files)).toEqual([
      {
        key: files.key('contacts/a.csv'),
        version: '1',
        type: 'contacts',
        state: 'reading',
        reason: null,
        warnings: [],
        notices: [],
        rows: { read: 7, accepted: 5, rejected: 2, created: 3, existing: 1 },
        batch_id: null,
        received_at: atHour(1),
        began_at: atHour(2),
        finished_at: null,
        report_key: null,
      },
    ]);
  });

  test.each(['applying', 'naming', 'closing'] as const)('has a file in the phase %s', async (phase) => {
    const files = open();
    await files.begin('contacts/a.csv', { phase, failure: 'The gzip data is damaged.' });
    expect(await list(files)).toMatchObject([
      { state: 'applying', reason: 'The gzip data is damaged.', finished_at: null, report_key: null },
    ]);
  });

  test.each([
    ['completed', 'done', null],
    ['failed', 'failed', '1 chunk of the batch failed.'],
    ['refused', 'refused', 'The file is empty.'],
  ] as const)('has a file that is %s, as its report says', async (status, state, reason) => {
    const files = open();
    const rows = { read: 3, accepted: 2, rejected: 1, applied: 2, unchanged: 0, superseded: 0 };
    const outcome = { status, reason, rows, finished_at: atHour(4) };
    await files.begin('accounts/a.csv', { phase: 'done', outcome });
    const key = files.key('accounts/a.csv');
    expect(await list(files)).toEqual([
      {
        ...{ key, version: '1', type: 'accounts', state, reason, rows, warnings: [], notices: [] },
        batch_id: dropBatchId(derivedFileId(key, '1')),
        received_at: atHour(1),
        began_at: atHour(2),
        finished_at: atHour(4),
        report_key: `${key}.report.json`,
      },
    ]);
  });

  const counts = { applied: 400, unchanged: 60, superseded: 10, rejected: 30 };
  const [completed, isOpen] = [{ status: 'completed', counts } as const, {}];
  test.each([
    ['before its first chunk', 0, [], { read: 2, accepted: 0, rejected: 2, applied: 0, unchanged: 0, superseded: 0 }],
    [
      'whose state is behind its batch',
      500,
      [completed, isOpen],
      { read: 1002, accepted: 970, rejected: 32, applied: 400, unchanged: 60, superseded: 10 },
    ],
    [
      'whose batch is behind its state',
      1300,
      [completed, isOpen],
      { read: 1302, accepted: 1270, rejected: 32, applied: 400, unchanged: 60, superseded: 10 },
    ],
  ])('has the rows so far of a file of accounts %s', async (_, accepted, chunks, rows) => {
    const files = open();
    await files.begin('accounts/a.csv', {
      rows: { read: accepted + 2, accepted, rejected: 2, created: 0, existing: 0 },
    });
    if (chunks.length > 0) await files.accept('accounts/a.csv', chunks);
    expect((await list(files))[0]!.rows).toEqual(rows);
  });

  test('is sorted by arrival, newest first, whether reading has begun or not', async () => {
    const files = open();
    await files.begin('contacts/two.csv', { received_at: atHour(2) });
    await files.begin('contacts/five.csv', { received_at: atHour(5) });
    for (const [name, hour] of Object.entries({ three: 3, six: 6, one: 1 })) files.drop(`contacts/${name}.csv`, hour);
    expect(namesOf(await list(files))).toEqual(['six.csv', 'five.csv', 'three.csv', 'two.csv', 'one.csv']);
    expect(namesOf(await list(files, 3))).toEqual(['six.csv', 'five.csv', 'three.csv']);
  });

  test('has only what the team has dropped, and each file once', async () => {
    const [files, other] = [open(), open()];
    other.drop('contacts/others.csv', 3);
    files.objects = other.objects;
    files.drop('contacts/a.csv', 3);
    await files.begin('contacts/a.csv');
    files.drop('contacts/a.csv.report.json', 4);
    files.drop('contacts/', 4);
    expect(namesOf(await list(files))).toEqual(['a.csv']);
  });

  test('has a file whose reading begins meanwhile', async () => {
    const files = open();
    files.drop('contacts/a.csv', 1);
    const { dependencies } = files;
    const list = async function* (prefix: string) {
      await files.begin('contacts/a.csv');
      yield* dependencies.files.list(prefix);
    };
    const listed = await listDroppedFiles(
      { ...dependencies, files: { ...dependencies.files, list } },
      files.teamId,
      20,
    );
    expect(listed).toMatchObject([{ key: files.key('contacts/a.csv'), state: 'reading' }]);
  });

  test('has no object that is older than 30 days', async () => {
    const files = open();
    files.drop('contacts/a.csv', 3);
    const expiry = Date.parse(atHour(3)) + 30 * 24 * 3_600_000;
    files.now = expiry - 1;
    expect(await list(files)).toHaveLength(1);
    files.now = expiry;
    expect(await list(files)).toEqual([]);
  });
});

describe('a dropped file', () => {
  test('is found while it waits', async () => {
    const files = open();
    files.drop('contacts/a.csv', 3);
    expect(await find(files, 'contacts/a.csv')).toMatchObject({ listed: { state: 'waiting' }, state: undefined });
  });

  test('is found with its state once it is read', async () => {
    const files = open();
    files.drop('contacts/a.csv', 1);
    const state = await files.begin('contacts/a.csv');
    expect(await find(files, 'contacts/a.csv')).toMatchObject({ listed: { state: 'reading' }, state });
  });

  test('is found in its newest version, in whatever order these are listed', async () => {
    const files = open();
    for (const [version, hour] of Object.entries({ b: 2, d: 4, c: 3 })) files.drop('contacts/a.csv', hour, version);
    files.drop('contacts/a.csv.old', 9);
    await files.begin('contacts/a.csv', { version: 'c' });
    expect(await find(files, 'contacts/a.csv')).toMatchObject({ listed: { version: 'd', state: 'waiting' } });
  });

  test('is found by its state when it is no longer in the bucket', async () => {
    const files = open();
    for (const [version, hour] of Object.entries({ 1: 1, 2: 2 })) {
      await files.begin('contacts/a.csv', { version, received_at: atHour(hour) });
    }
    await files.begin('contacts/b.csv', { received_at: atHour(3) });
    expect(await find(files, 'contacts/a.csv')).toMatchObject({
      listed: { version: '2' },
      state: { key: files.key('contacts/a.csv') },
    });
  });

  test('is not found if no file was dropped there, or only the service has written it', async () => {
    const files = open();
    files.drop('contacts/a.csv', 3);
    files.drop('contacts/a.csv.report.json', 4);
    await files.begin('contacts/a.csv');
    expect(await find(files, 'contacts/a.csv')).toBeDefined();
    for (const path of ['contacts/b.csv', 'contacts/a', 'contacts/a.csv.report.json']) {
      expect(await find(files, path)).toBeUndefined();
    }
  });
});

test('a file is in progress until its state is final', () => {
  const states = ['waiting', 'reading', 'applying', 'done', 'failed', 'refused'] as const;
  expect(states.filter((state) => isInProgress({ state }))).toEqual(['waiting', 'reading', 'applying']);
});
