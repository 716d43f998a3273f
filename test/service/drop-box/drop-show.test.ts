import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { listExpectedFiles, saveVerdict } from '../../../lib/store/drop-box/expected-files.ts';
import { admin, adminJson, fileOf } from '../../support/service/admin.ts';
import { service } from '../../support/service/service.ts';

const api = await service();
let team: string;
beforeEach(async () => {
  team = (await api.newTeam()).teamId;
});

const accounts = (count: number) =>
  ['account_number,product.code,product.type', ...Array.from({ length: count }, (_, n) => `${n},P,checking`)].join(
    '\n',
  );

/** Drops a file. @returns its key */
function drop(path: string, content: string): string {
  const file = join(api.local.drop_box_folder, team, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return `${team}/${path}`;
}

describe('drop show', () => {
  test('shows the way of a file of accounts, with times and counts', async () => {
    const key = drop('accounts/nightly.csv', `${accounts(700)}\nbad,P,nothing\n`);
    expect((await adminJson('drop', 'list', '--team', team)).value).toMatchObject([{ key }]);
    expect((await admin(['drop', 'list', '--team', team, '--watch'])).stdout).toMatch(/nightly\.csv +done +700 +1 /);
    const { status, stdout } = await admin(['drop', 'show', key, '--watch', '--json']);
    expect(status).toBe(0);
    const views = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(views.at(-1)).toMatchObject({
      key,
      state: 'done',
      batch_id: expect.stringMatching(/^drop-/),
      chunks_open: 0,
      chunks_failed: 0,
      report_key: `${key}.report.json`,
      rejected_file: `${key}.rejected.csv`,
      timeline: [
        { event: 'received', counts: {} },
        { event: 'reading began' },
        { event: 'chunks accepted', counts: { chunks: 2, rows: 700 } },
        { event: 'reading ended', counts: { accepted: 700, rejected: 1 } },
        { event: 'chunks applied', counts: { chunks: 2, applied: 700, unchanged: 0, superseded: 0, rejected: 0 } },
        { event: 'report written' },
      ],
    });
    const text = (await admin(['drop', 'show', key])).stdout;
    expect(text).toMatch(/^file +.*nightly\.csv\nstate +done\nrows +701 read, 700 accepted, 1 rejected\nbatch +drop-/);
    expect(text).toContain(`\nrejected rows  ${key}.rejected.csv\n`);
    expect(text).toMatch(
      /drop expect --team \S+ --type accounts --by <hour> --dates <format> --numbers <format> --map <file>$/m,
    );
    expect(text).toMatch(/\nWHEN +UNTIL +WHAT +COUNTS\n.* received\n/);
  });

  test.each([
    ['nothing/accounts/a.csv', /^key: The folder "nothing" belongs to no team/],
    ['a.csv', /^key: The file is in the wrong place/],
  ])('says what is wrong with the key %s', async (key, message) => {
    const { status, stderr } = await admin(['drop', 'show', key]);
    expect(status).toBe(1);
    expect(stderr).toMatch(message);
  });

  test('shows a file in a wrong folder, as the list does', async () => {
    const key = drop('acounts/today.csv', accounts(1));
    expect((await adminJson('drop', 'list', '--team', team)).value).toMatchObject([{ key, state: 'refused' }]);
    expect(await adminJson('drop', 'show', key)).toMatchObject({
      ...{ status: 0, value: { key, type: null, state: 'refused', reason: expect.stringMatching(/wrong place/) } },
    });
  });

  test('says that there is no such file', async () => {
    expect(await adminJson('drop', 'show', `${team}/accounts/none.csv`)).toMatchObject({
      status: 1,
      value: { error: 'not_found', details: [{ path: 'key' }] },
    });
  });
});

describe('drop expect', () => {
  const expecting = (verb: string, ...args: string[]) => adminJson('drop', verb, '--team', team, ...args);
  const nightly = ['--type', 'accounts', '--by', '05:00'];

  test('keeps the hour and its zone until it is removed', async () => {
    const { status, value } = await expecting('expect', ...nightly, '--time-zone', 'Europe/Prague');
    expect([status, value]).toEqual([
      0,
      {
        ...{ team_id: team, type: 'accounts', by: '05:00', time_zone: 'Europe/Prague', state: 'ok' },
        ...{ max_rejected: null, min_rows: null, map: null, deviations: [] },
        last_arrival_at: null,
        next_at: expect.stringMatching(/T0[34]:00:00\.000000Z$/),
      },
    ]);
    await expecting('expect', ...nightly);
    await expecting('expect', '--type', 'contacts', '--by', '17:30');
    expect((await expecting('expected')).value).toMatchObject([
      { type: 'accounts', by: '05:00', time_zone: 'UTC' },
      { type: 'contacts', by: '17:30', time_zone: 'UTC' },
    ]);
    expect((await adminJson('drop', 'expected')).value.length).toBeGreaterThanOrEqual(2);
    expect(await expecting('unexpect', ...nightly)).toMatchObject({ status: 0, value: { by: '05:00' } });
    expect((await expecting('expected')).value).toMatchObject([{ type: 'contacts' }]);
    expect(await expecting('unexpect', ...nightly)).toMatchObject({ status: 1, value: { error: 'not_found' } });
  });

  test.each([
    ['an hour', ['--type', 'accounts', '--by', '5']],
    ['a type', ['--type', 'products', '--by', '05:00']],
    ['a time zone', [...nightly, '--time-zone', 'Prague']],
    ['a percentage', [...nightly, '--max-rejected', '101%']],
    ['a number of rows', [...nightly, '--min-rows', '0']],
    ['a map', [...nightly, '--map', 'nowhere/map.json']],
  ])('refuses %s that is none', async (_, args) => {
    expect(await expecting('expect', ...args)).toMatchObject({ status: 1, value: { error: 'invalid_arguments' } });
  });

  test('says what is not as expected', async () => {
    await expecting('expect', ...nightly, '--max-rejected', '5%', '--min-rows', '20');
    const [expected] = await listExpectedFiles(api.database, team);
    const deviations = ['15 rows were read, fewer than 20'];
    const verdict = { hour: expected!.inserted_at, rows: {}, status: 'completed' as const, deviations };
    await saveVerdict(api.database, expected!, verdict);
    expect((await expecting('expected')).value).toMatchObject([
      { max_rejected: 5, min_rows: 20, state: 'unexpected', deviations },
    ]);
    const { status, stdout } = await admin(['drop', 'expected', '--team', team]);
    expect([status, stdout]).toEqual([1, expect.stringContaining(deviations[0]!)]);
  });

  test('keeps the map with the formats, without its examples, unless it names an unknown field', async () => {
    const map = fileOf({ NR: { field: 'account_number', examples: ['7001'] } });
    const formats = ['--dates', 'MM/DD/YYYY', '--numbers', '1.234,50', '--encoding', 'windows-1250'];
    const { value } = await expecting('expect', ...nightly, '--map', map, ...formats);
    const given = { _dates: 'MM/DD/YYYY', _numbers: '1.234,50', _encoding: 'windows-1250' };
    expect(value.map).toEqual({ NR: { field: 'account_number' }, ...given });
    const wrong = fileOf({ NR: 'number_of_account' });
    expect((await expecting('expect', ...nightly, '--map', wrong)).value).toMatchObject({
      error: 'invalid_arguments',
      details: [{ path: '--map', message: expect.stringContaining('not a field of an account') }],
    });
  });

  test('knows a file that arrived before it was expected, and takes none of another type for it', async () => {
    drop('accounts/early.csv', accounts(1));
    expect((await expecting('expect', ...nightly)).value.last_arrival_at).toMatch(/^\d{4}-/);
    expect((await expecting('expect', '--type', 'contacts', '--by', '05:00')).value.last_arrival_at).toBeNull();
  });
});
