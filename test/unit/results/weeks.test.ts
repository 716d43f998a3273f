import { expect, test } from 'vitest';
import { weeksOf } from '../../../bin/admin/results/weeks.ts';

const day = (date: string, created: number) => ({ date, created, opened: 1, completed: 0 });

test.each([
  ['no days', [], []],
  ['a Sunday and the Monday after it', [day('2026-03-08', 1), day('2026-03-09', 2)], ['2026-03-02 1', '2026-03-09 2']],
  [
    'days of one week, and a week without any between them',
    [day('2025-12-29', 1), day('2026-01-01', 2), day('2026-01-12', 4)],
    ['2025-12-29 3', '2026-01-05 0', '2026-01-12 4'],
  ],
])('%s', (_, days, expected) => {
  expect(weeksOf(days).map(({ monday, created }) => `${monday} ${created}`)).toEqual(expected);
});
