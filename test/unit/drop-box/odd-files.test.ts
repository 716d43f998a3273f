import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { DropKind } from '../../../lib/domain/drop-box/drop.ts';
import { saveExpectedFile } from '../../../lib/store/drop-box/expected-files.ts';
import { DropWorld } from '../../support/drop-box.ts';
import { mapText, uglyFiles } from '../../support/samples/ugly-files.ts';

async function dropped(
  kind: DropKind,
  bytes: string | Buffer,
  { map, chunks }: { map?: string; chunks?: number } = {},
) {
  const world = await DropWorld.open();
  const { database, teamId: team_id } = world;
  const expected = { team_id, type: kind, by: '02:00', time_zone: 'UTC', last_arrival_at: null };
  if (map) await saveExpectedFile(database, { ...expected, map, inserted_at: '2026-03-01T00:00:00.000000Z' });
  const file = world.drop(`${kind}/a`, bytes);
  await world.finish(file, chunks);
  return { world, report: world.report(file), rejected: world.rejected(file) };
}

describe.each([false, true])('the drop box takes files as they arrive (gzip: %s)', (gzip) => {
  test.each(uglyFiles)('$name', async (ugly) => {
    const { bytes, kind, ids, rejected = 0, notices } = ugly;
    const map = mapText(ugly);
    const { report } = await dropped(kind, gzip ? gzipSync(bytes) : bytes, map ? { map } : {});
    expect(report).toMatchObject({ status: 'completed', rows: { accepted: ids.length, rejected } });
    const found = Object.fromEntries(report.notices.map(({ kind, first_rows }) => [kind, first_rows]));
    expect(found).toEqual(notices);
  });
});

const rows = (count: number) => Array.from({ length: count }, (_, n) => `a${n},cif-${n % 2}\n`).join('');

test.each([false, true])('notices are the same however often reading is continued (gzip: %s)', async (gzip) => {
  const content = `account_number,contact.unique_id\n${rows(1200)}account_number,contact.unique_id\n'1,="2"\nb,c`;
  const bytes = gzip ? Buffer.concat([gzipSync(content), Buffer.from('\n')]) : content;
  const [whole, parts] = [await dropped('accounts', bytes), await dropped('accounts', bytes, { chunks: 1 })];
  expect(parts.report.notices).toEqual(whole.report.notices);
  expect(whole.report.notices.map(({ kind, count, first_rows }) => [kind, count, first_rows])).toEqual([
    ['repeated_header', 1, [1202]],
    ['id_apostrophe', 1, [1203]],
    ['id_formula', 1, [1203]],
    ['cut_last_line', 1, [1204]],
    ...(gzip ? [['after_gzip', 1, []]] : []),
  ]);
});

const header = 'account_number,contact.unique_id\n';
test.each<[string, string | Buffer, string, string, number]>([
  ['nothing under the header', header, 'completed', '', 0],
  ['only headers', header + header, 'failed', 'none of them is a row', 0],
  ['a cut in quotes', `${header}${rows(3)}x,"y`, 'failed', 'ends inside quotes', 3],
  ['a cut gzip file', gzipSync(`${header}${rows(600)}`).subarray(0, -8), 'failed', 'gzip data is damaged', 600],
  [
    'other data after gzip',
    Buffer.concat([gzipSync(header + rows(600)), Buffer.from('x')]),
    'failed',
    'Other data',
    600,
  ],
])('%s', async (_, bytes, status, reason, applied) => {
  for (const chunks of [1, 1000]) {
    const { report } = await dropped('accounts', bytes, { chunks });
    expect([report.status, report.reason ?? '', report.rows.applied]).toEqual([
      status,
      expect.stringContaining(reason),
      applied,
    ]);
  }
});

test('a wrong trailer fails the file, whose rows stay applied', async () => {
  const map = JSON.stringify({ _trailer: { prefix: 'TRL', count: 2 } });
  const { report } = await dropped('accounts', `${header}${rows(600)}TRL,601\n`, { map, chunks: 1 });
  expect(report).toMatchObject({ status: 'failed', rows: { read: 600, applied: 600 } });
  expect(report.reason).toContain('The last line says 601 rows, but the file has 600.');
});
