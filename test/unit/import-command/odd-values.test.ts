import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { DropReport } from '../../../lib/domain/drop-box/drop-report.ts';
import { loadDrop } from '../../../lib/store/drop-box/drop-files.ts';
import { derivedFileId } from '../../../lib/store/table/ids.ts';
import { importJson, importSetting } from '../../support/import-command/support.ts';
import { isLongForm } from '../../support/long-form.ts';
import { oddValues } from '../../support/samples/odd-values.ts';
import { until } from '../../support/until.ts';

const { api, team, environment, directory } = await importSetting();

type Kind = 'contacts' | 'accounts';
const { components } = (await api.request('GET', '/openapi.json')).body;
const unknown = ['id', 'inserted_at', '__proto__', 'constructor', 'toString', 'a.b', 'contact.role', 'product.name'];
const schemas: Record<Kind, string> = { contacts: 'ContactInput', accounts: 'AccountInput' };
const names: Record<Kind, string> = { contacts: '"unique_id"', accounts: '"account_number"' };
const rests: Record<Kind, string> = { contacts: '', accounts: ',"product":{"code":"odd","type":"checking"}' };

/**
 * A row for every field with every odd value, in the short form with another fifth of them. The last of two equal keys
 * counts.
 */
function ndjson(kind: Kind, prefix: string): string[] {
  const fields = [...Object.keys(components.schemas[schemas[kind]].properties), ...unknown];
  return fields.flatMap((field, at) =>
    oddValues
      .map((value, index) => `{${names[kind]}:"${prefix}-${at}-${index}"${rests[kind]},"${field}":${value}}`)
      .filter((_, index) => isLongForm || index % 5 === at % 5),
  );
}

/** One column with every odd value as the text of a cell. */
function csv(kind: Kind, prefix: string): string[] {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const [header, rest] =
    kind === 'contacts' ? ['unique_id', ''] : ['account_number,product.code,product.type', ',odd,checking'];
  const column = kind === 'contacts' ? 'meta_public' : 'balance';
  return [`${header},${column}`, ...oddValues.map((value, at) => `${prefix}-${at}${rest},${cell(value)}`)];
}

const files = (['contacts', 'accounts'] as const).flatMap((kind) => [
  { kind, name: 'odd.ndjson', lines: ndjson(kind, `${kind}-odd`), first: 1 },
  { kind, name: 'odd.csv', lines: csv(kind, `${kind}-cell`), first: 2 },
]);

/** The lines that a file of rejected rows names. Each row of it has a reason. */
function rejectedLines(text: string): number[] {
  const rows = [...text.matchAll(/^(\d+),([^,\n]*|"[^"]*"),(.+)/gm)];
  expect(rows.every(([, , , reason]) => reason !== '')).toBe(true);
  return rows.map(([, line]) => Number(line));
}

const dropped = ({ kind, name }: (typeof files)[number]) => join(api.local.drop_box_folder, team.teamId, kind, name);
// The service reads them while the importer runs.
for (const file of files) {
  mkdirSync(dirname(dropped(file)), { recursive: true });
  writeFileSync(dropped(file), `${file.lines.join('\n')}\n`);
}

test.each(files)('odd values in a file of $kind ($name) are rejected rows of the importer', async (file) => {
  const { kind, name, lines, first } = file;
  const path = join(directory, `${kind}-${name}`);
  writeFileSync(path, `${lines.join('\n')}\n`);
  const { status, summary } = await importJson(environment, kind, path);
  expect(status).toBe(1);
  expect(summary).toMatchObject({ status: 'completed', rows: { read: lines.length - first + 1 } });
  const rejected = rejectedLines(readFileSync(summary.rejected_file!, 'utf8'));
  expect(new Set(rejected).size).toBe(summary.rows.rejected);
});

test.each(files)(
  'odd values in a dropped file of $kind ($name) reject their rows, and are not tried again',
  async (file) => {
    const { lines, first } = file;
    const path = dropped(file);
    await until('the report is written', () => existsSync(`${path}.report.json`));
    const report = JSON.parse(readFileSync(`${path}.report.json`, 'utf8')) as DropReport;
    const { rows, status, key, version } = report;
    // The report is written before the state.
    const state = await until(
      'the file is done',
      async () => (await loadDrop(api.database, team.teamId, derivedFileId(key, version)))!.state,
      ({ phase }) => phase === 'done',
    );
    expect([status, rows.read]).toEqual(['completed', lines.length - first + 1]);
    // A file that can never be read is tried 20 times. A busy machine may need a second invocation.
    expect(state.turns).toBeLessThan(4);
    expect(state.stalls).toBe(0);
    expect(report.failed_chunks).toEqual([]);
    const rejected = rejectedLines(readFileSync(`${path}.rejected.csv`, 'utf8'));
    expect(new Set(rejected).size).toBe(rows.rejected);
  },
);
