import { describe, expect, test } from 'vitest';
import { costReport } from '../../../bench/cost/report.ts';
import { pageWith, textOf } from '../../../bench/cost/text.ts';
import { workloads } from '../../../bench/cost/workload.ts';
import { read } from '../../architecture/sources.ts';

const page = read('docs/performance.md');
const report = costReport();

describe('docs/performance.md', () => {
  test('shows what the command prints (update it with node bench/cost.ts --write)', () => {
    expect(page).toBe(pageWith(page, textOf(report)));
  });

  test('lists every assumption with its value', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, field, value]) => [field, value]);
    const { contacts: _, ...usual } = workloads[0]!;
    const sizes = workloads.map(({ contacts }) => contacts.toLocaleString('en'));
    const assumed = Object.entries(usual).map(([field, value]) => [field, String(value)]);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries([['contacts', sizes.join(', ')], ...assumed]));
  });

  test('must have the block that is replaced', () => {
    expect(() => pageWith('# Cost\n', 'x')).toThrow(/no block/);
  });
});
