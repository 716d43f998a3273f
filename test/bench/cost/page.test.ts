import { describe, expect, test } from 'vitest';
import { costReport } from '../../../bench/cost/report.ts';
import { pageWith, textOf } from '../../../bench/cost/text.ts';
import { read } from '../../architecture/sources.ts';

const page = read('docs/performance.md');
const report = costReport();

describe('docs/performance.md', () => {
  test('shows what the command prints (update it with node bench/cost.ts --write)', () => {
    expect(page).toBe(pageWith(page, textOf(report)));
  });

  test('must have the block that is replaced', () => {
    expect(() => pageWith('# Cost\n', 'x')).toThrow(/no block/);
  });
});
