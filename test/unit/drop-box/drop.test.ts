import { describe, expect, test } from 'vitest';
import {
  hasReport,
  isDropped,
  laneOfDrop,
  ownerOfDrop,
  parseDropKey,
  rejectedKey,
  rejectedPartKey,
  remainingKey,
  reportKey,
  shortFileBytes,
} from '../../../lib/domain/drop-box/drop.ts';
import { dropBatchId, isDropBatchId } from '../../../lib/domain/imports/own-batch.ts';

const team = '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10';

describe('the key of a file', () => {
  test.each([
    [`${team}/accounts/a.csv`, 'accounts'],
    [`${team}/contacts/2026/03/ü (1).ndjson.gz`, 'contacts'],
    [`${team}/accounts/line\nend`, 'accounts'],
    [`${team}/contacts/\n`, 'contacts'],
  ])('%j says whose it is and what its rows are', (key, kind) => {
    expect(parseDropKey(key)).toEqual({ teamId: team, kind });
    expect(ownerOfDrop(key)).toBe(team);
  });

  test.each([
    'a.csv',
    `${team}/a.csv`,
    `${team}/accounts/`,
    `${team}/products/a.csv`,
    `x/${team}/accounts/a.csv`,
    `${team}//accounts/a.csv`,
  ])('%j is a wrong place', (key) => {
    const error =
      'The file is in the wrong place: its key must be <team_id>/accounts/<name> or <team_id>/contacts/<name>.';
    expect(parseDropKey(key)).toEqual({ error });
    expect(ownerOfDrop(key)).toBe('nobody');
  });

  test.each(['not-a-team', team.toUpperCase()])(
    'in the folder %j names the folder that belongs to no team',
    (folder) => {
      const error = `The folder "${folder}" belongs to no team: it must be the team_id of an existing team.`;
      for (const kind of ['accounts', 'contacts']) expect(parseDropKey(`${folder}/${kind}/a.csv`)).toEqual({ error });
      expect(laneOfDrop({ key: `${folder}/accounts/a.csv`, version: '1' })).toBe('nobody');
    },
  );
});

const inFolder = (expected: boolean) => (name: string) => [`${team}/accounts/${name}`, expected] as const;

test.each<readonly [string, boolean]>([
  [`${team}/accounts/a.csv`, true],
  ['a.csv', true],
  [reportKey(`${team}/accounts/a.csv`), false],
  [rejectedKey(`${team}/accounts/a.csv`), false],
  [remainingKey(`${team}/accounts/a.csv`), false],
  ['work/6f/rejected/000000.csv', false],
  [`${team}/accounts/work/a.csv`, true],
  [`${team}/accounts/a.report.json.csv`, true],
  [`${team}/accounts/`, false],
  ...['.a.csv', '.sync/a.csv', 'b/.sync/c/a.csv', 'a.csv~', '_SUCCESS', 'b/_success'].map(inFolder(false)),
  ...['filepart', 'part', 'partial', 'tmp', 'temp', 'crdownload', 'bak', 'md5', 'sha256', 'sig', 'done', 'ok', 'lock']
    .flatMap((ending) => [`a.csv.${ending}`, `A.CSV.${ending.toUpperCase()}`])
    .map(inFolder(false)),
  ...['a.', 'a.parts', 'tmp', 'a.tmp.csv', 'a~.csv', '_SUCCESS.csv', 'a_SUCCESS', 'a.ok.gz', 'b.tmp/a.csv', 'b~/a'].map(
    inFolder(true),
  ),
])('what lies at %j was dropped by somebody: %s', (key, expected) => {
  expect(isDropped(key)).toBe(expected);
});

test('the objects of the service have the name of the file', () => {
  const part = rejectedPartKey('f', 7);
  expect([reportKey('k'), rejectedKey('k'), remainingKey('k'), part]).toEqual([
    'k.report.json',
    'k.rejected.csv',
    'k.remaining',
    'work/f/rejected/000007.csv',
  ]);
});

test('the batch of a file is known by its id', () => {
  expect(dropBatchId('f')).toBe('drop-f');
  expect(['drop-f', 'my-drop-f', 'dropped'].map(isDropBatchId)).toEqual([true, false, false]);
});

test('a report lies beside every file whose name leaves it the room', () => {
  expect(hasReport('ü'.repeat(506))).toBe(true);
  expect(hasReport('ü'.repeat(507))).toBe(false);
  expect(new TextEncoder().encode(reportKey('ü'.repeat(506))).length).toBeLessThanOrEqual(1024);
});

test('a file waits only for files of its team, of its type, and as long as itself', () => {
  const lane = (path: string, size?: number) => laneOfDrop({ key: `${team}/${path}`, version: '1', size });
  const long = shortFileBytes + 1;
  expect(lane('accounts/a', long)).toBe(lane('accounts/b', 10 * long));
  expect(lane('accounts/a', 1)).toBe(lane('accounts/b', shortFileBytes));
  const lanes = [lane('accounts/a', 1), lane('accounts/a', long), lane('contacts/a', 1), lane('contacts/a', long)];
  expect(new Set(lanes).size).toBe(4);
  expect(lanes.slice(0, 2)).toEqual([`${team}/accounts/short`, `${team}/accounts`]);
  expect(lane('accounts/a')).toBe(lane('accounts/a', long));
});
