import { expect, test } from 'vitest';
import { costText, pageWith } from '../../../bench/cost/report.ts';
import { read } from '../../support/architecture/sources.ts';

const page = read('docs/cost.md');

test('docs/cost.md shows what the command prints (update it with node bench/cost.ts --write)', () => {
  expect(page).toBe(pageWith(page, costText()));
});

test('the page must have the block that is replaced', () => {
  expect(() => pageWith('# Cost\n', 'x')).toThrow(/no block/);
});
