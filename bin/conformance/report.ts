import { tableOf } from '../admin/text.ts';
import { keyOf } from './row.ts';
import { checkedRows, sections } from './rows.ts';
import type { ConformanceReport } from './run.ts';

/** A line for each section, then what failed and why, then the summary. */
export function textOf(report: ConformanceReport): string {
  const { passed, failed, seconds, base_url, clean_up } = report;
  const results = new Map(report.rows.map((each) => [each.row, each]));
  const lines = sections.map((section) => {
    const found = checkedRows.filter((row) => row.section === section).map((row) => results.get(keyOf(row)));
    const count = (what: string) => String(found.filter((each) => each?.result === what).length);
    return [section, count('passed'), count('failed')];
  });
  return [
    tableOf(['SECTION', 'PASSED', 'FAILED'], lines, 'There are no checks.'),
    ...report.rows.filter(({ result }) => result === 'failed').map(({ row, reason }) => `Failed: ${row}\n  ${reason}`),
    `${passed} checks passed, ${failed} failed in ${seconds} seconds at ${base_url}.`,
    cleanedText(clean_up),
  ].join('\n\n');
}

function cleanedText(cleaned: ConformanceReport['clean_up']): string {
  const sum = (of: (each: (typeof cleaned)[number]) => number) => cleaned.reduce((total, each) => total + of(each), 0);
  const deleted = sum(({ deleted_items }) => deleted_items);
  const revoked = sum(({ clients_revoked }) => clients_revoked);
  const teams = cleaned.map(({ team_id }) => team_id).join(' and ');
  return [
    `Cleaned up: ${deleted} items deleted, ${revoked} clients revoked.`,
    `What remains: the teams ${teams} with their content, products and revoked clients; the audit log.`,
    ...cleaned.flatMap(({ failures }) => failures.map((each) => `Not cleaned up: ${each}`)),
  ].join('\n');
}
