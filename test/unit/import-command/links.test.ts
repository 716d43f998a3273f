import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noTotals, RejectedFile, writeJournal } from '../../../bin/import/ledger.ts';
import type { FileLayout } from '../../../lib/domain/drop-box/file-position.ts';
import type { Row } from '../../../lib/files/rows.ts';

/** Another user who can write to the folder replaces a file of the importer by a link to another file. */
function trap() {
  const folder = mkdtempSync(join(tmpdir(), 'onboarding-links-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const target = join(folder, 'target');
  writeFileSync(target, 'untouched');
  return { path: join(folder, 'file'), target };
}

const layout: FileLayout = { format: 'ndjson', gzip: false, newline: 10, delimiter: ',', header: [] };
const row: Row = { line: 1, text: 'Jana', cells: undefined, record: {}, ids: [], said: new Set(), size: 0, errors: [] };
const faults = [{ column: '', reason: 'no' }];

describe('what the importer writes', () => {
  test('goes into no link that appears where rejected rows will be', async () => {
    const { path, target } = trap();
    const file = await RejectedFile.open(path, 0);
    symlinkSync(target, path);
    file.add(layout, row, faults);
    await expect(file.save()).rejects.toThrow('EEXIST');
    expect(readFileSync(target, 'utf8')).toBe('untouched');
  });

  test('does not shorten what a link leads to', async () => {
    const { path, target } = trap();
    symlinkSync(target, path);
    await expect(RejectedFile.open(path, 3)).rejects.toThrow('ELOOP');
    expect(readFileSync(target, 'utf8')).toBe('untouched');
  });

  test('keeps the journal in a file of its own', async () => {
    const { path, target } = trap();
    symlinkSync(target, `${path}.new`);
    await writeJournal(path, {
      ...{ batch_id: 'b', kind: 'accounts', base_url: 'u', client_id: 'c', content: 'f', started_at: 's' },
      place: { layout, offset: 0, line: 1, chunk: 0, rows: 0 },
      ...{ totals: noTotals, notices: [], rejected_bytes: 0, refused: {}, has_unsent_chunk: false },
    });
    expect(readFileSync(target, 'utf8')).toBe('untouched');
    expect(lstatSync(path).isFile()).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('lets nobody else read rejected rows, and goes on behind those that are there', async () => {
    const { path } = trap();
    for (const bytes of [0, undefined]) {
      const file = await RejectedFile.open(path, bytes ?? statSync(path).size);
      file.add(layout, row, faults);
      await file.close();
    }
    expect(readFileSync(path, 'utf8')).toBe('_row,_column,_reason,_json\n1,,no,Jana\n1,,no,Jana\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
