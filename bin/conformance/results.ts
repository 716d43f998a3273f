import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { conformancePage } from './page.ts';
import type { Place, Results } from './places.ts';
import { keyOf, type Row } from './row.ts';
import { rows } from './rows.ts';
import type { ConformanceReport } from './run.ts';

const folder = new URL('../../docs/', import.meta.url);
const file = fileURLToPath(new URL('conformance.json', folder));
const page = fileURLToPath(new URL('conformance.md', folder));

export const readResults = (): Results => JSON.parse(readFileSync(file, 'utf8'));

/** Replaces the results of one place. Rows that do not exist any more are dropped. */
export function merged(earlier: Results, place: Place, report: ConformanceReport, day: string): Results {
  const found = new Map(report.rows.map(({ row, result }) => [row, result]));
  const keys = (rows as readonly Row[]).map(keyOf);
  return {
    run_on: { ...earlier.run_on, [place]: day },
    rows: Object.fromEntries(
      keys.map((key) => {
        const { [place]: _, ...others } = earlier.rows[key] ?? {};
        const result = found.get(key);
        return [key, result === undefined ? others : { ...others, [place]: result }];
      }),
    ),
  };
}

/** Writes the results of one place, and the page. */
export function writeResults(place: Place, report: ConformanceReport): void {
  const results = merged(readResults(), place, report, new Date().toISOString().slice(0, 10));
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
  writeFileSync(page, conformancePage(results));
}
