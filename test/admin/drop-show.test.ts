import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deviatingFiles } from '../../lib/operations/drop-box/expected.ts';
import { listExpectedFiles, recordArrival } from '../../lib/store/expected-files.ts';
import { admin, adminJson } from '../support/admin.ts';
import { temporaryDirectory } from '../support/process.ts';
import { service, type TestService } from '../support/service.ts';

let api: TestService;
let team: string;
beforeAll(async () => {
  api = await service();
});
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
    expect(text).toMatch(/\nWHEN +UNTIL +WHAT +COUNTS\n.* received\n/);
  });

  test('of a file that was just dropped has it in the list too, until it is done', async () => {
    const key = drop('contacts/new.csv', 'unique_id\na\n');
    const listed = await adminJson('drop', 'list', '--team', team);
    expect(listed.value).toMatchObject([{ key }]);
    const { stdout } = await admin(['drop', 'list', '--team', team, '--watch']);
    expect(stdout).toMatch(/contacts\/new\.csv +done +1 /);
  });

  test('says that a file in a folder without a type is refused', async () => {
    const key = drop('other/a.csv', 'x');
    await expect
      .poll(() => existsSync(join(api.local.drop_box_folder, `${key}.report.json`)), { timeout: 10_000 })
      .toBe(true);
    expect((await adminJson('drop', 'list', '--team', team)).value).toMatchObject([
      { key, state: 'refused', type: null, report_key: `${key}.report.json` },
    ]);
  });

  test.each([
    ['nothing/accounts/a.csv', /^key: The folder "nothing" belongs to no team/],
    ['a.csv', /^key: The file is in the wrong place/],
  ])('says what is wrong with the key %s', async (key, message) => {
    const { status, stderr } = await admin(['drop', 'show', key]);
    expect(status).toBe(1);
    expect(stderr).toMatch(message);
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
        ...{ max_rejected: null, min_rows: null, map: null, decimal_comma: false, deviations: [] },
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

  test('a file that arrives is noted, and the sweeper finds those that did not', async () => {
    await expecting('expect', ...nightly);
    await expecting('expect', '--type', 'contacts', '--by', '05:00');
    const key = drop('accounts/a.csv', accounts(1));
    await admin(['drop', 'show', key, '--watch']);
    const stored = await listExpectedFiles(api.database, team);
    expect(stored).toMatchObject([
      { type: 'accounts', last_arrival_at: expect.any(String) },
      { type: 'contacts', last_arrival_at: null },
    ]);
    const tomorrow = Date.parse(stored[0]!.inserted_at) + 24 * 3_600_000;
    const missing = async (now: number) =>
      (await deviatingFiles({ database: api.database, now: () => now })).filter(({ team_id }) => team_id === team);
    expect((await missing(tomorrow)).map(({ type }) => type)).toContain('contacts');
    await recordArrival(api.database, team, 'contacts', new Date(tomorrow).toISOString());
    expect((await missing(tomorrow)).map(({ type }) => type)).not.toContain('contacts');
    // An older file that is read later does not count as newer.
    await recordArrival(api.database, team, 'contacts', '2020-01-01T00:00:00.000000Z');
    const [, contacts] = await listExpectedFiles(api.database, team);
    expect(Date.parse(contacts!.last_arrival_at!)).toBe(tomorrow);
  });

  test('is failed while the last file of its type was not completed, until a better one arrives', async () => {
    await expecting('expect', ...nightly);
    await expecting('expect', '--type', 'contacts', '--by', '05:00');
    const states = async () => (await expecting('expected')).value.map(({ state }: { state: string }) => state);
    const rejected = drop(
      'accounts/a.csv',
      'account_number,product.code,product.type,opened_date\n1,P,checking,31.12.2024\n',
    );
    await admin(['drop', 'show', rejected, '--watch']);
    expect((await adminJson('drop', 'list', '--team', team)).value).toMatchObject([
      { key: rejected, state: 'failed', reason: 'Every row was rejected. See the file of rejected rows.' },
    ]);
    expect(await states()).toEqual(['failed', 'ok']);
    await admin(['drop', 'show', drop('accounts/b.csv', accounts(1)), '--watch']);
    expect(await states()).toEqual(['ok', 'ok']);
  });

  test('reads the file with its map and its decimal comma', async () => {
    const map = join(temporaryDirectory(), 'map.json');
    writeFileSync(map, '{"NR": "account_number", "CODE": "product.code", "_constants": {"product.type": "checking"}}');
    await expecting('expect', ...nightly, '--map', map, '--decimal-comma');
    const key = drop('accounts/core.csv', 'NR;CODE;balance\n1;P;1.234,50\n');
    await admin(['drop', 'show', key, '--watch']);
    const { value } = await adminJson('account', 'show', '--team', team, '--account-number', '1');
    expect(value).toMatchObject({ balance: '1234.50', product: { code: 'P', type: 'checking' } });
    writeFileSync(map, '{"NR": "number_of_account"}');
    expect((await expecting('expect', ...nightly, '--map', map)).value).toMatchObject({
      error: 'invalid_arguments',
      details: [{ path: '--map', message: expect.stringContaining('not a field of an account') }],
    });
  });

  test('is unexpected while too many rows were rejected or too few were read, until a better file arrives', async () => {
    await expecting('expect', ...nightly, '--max-rejected', '5%', '--min-rows', '20');
    const state = async () => {
      const [{ state, deviations }] = (await expecting('expected')).value;
      return { state, deviations };
    };
    const watched = async (name: string, content: string) => {
      const key = drop(`accounts/${name}.csv`, content);
      await admin(['drop', 'show', key, '--watch']);
      return JSON.parse(readFileSync(join(api.local.drop_box_folder, `${key}.report.json`), 'utf8'));
    };
    const few = await watched('few', accounts(15));
    expect(few).toMatchObject({
      status: 'completed',
      warnings: ['the file is not as expected: 15 rows were read, fewer than 20'],
    });
    expect(await state()).toEqual({ state: 'unexpected', deviations: ['15 rows were read, fewer than 20'] });
    expect((await admin(['drop', 'expected', '--team', team])).stdout).toContain('15 rows were read, fewer than 20');
    const found = await deviatingFiles({ database: api.database, now: Date.now });
    expect(found.filter(({ team_id }) => team_id === team)).toMatchObject([{ state: 'unexpected' }]);
    // Together with the rows of the first file there are enough.
    await watched('bad', `${accounts(9)}\nx,P,nonsense\n`);
    expect(await state()).toEqual({
      state: 'unexpected',
      deviations: ['10% of the rows were rejected, more than 5%'],
    });
    expect((await watched('good', accounts(20))).warnings).toEqual([]);
    expect(await state()).toEqual({ state: 'ok', deviations: [] });
  });

  test('knows a file that arrived before it was expected', async () => {
    await admin(['drop', 'show', drop('accounts/early.csv', accounts(1)), '--watch']);
    expect((await expecting('expect', ...nightly)).value.last_arrival_at).toMatch(/^\d{4}-/);
  });
});
