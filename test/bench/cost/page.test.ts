import { describe, expect, test } from 'vitest';
import { pageWith, picturePath } from '../../../bench/cost/page.ts';
import { pictureOf } from '../../../bench/cost/picture.ts';
import { costReport } from '../../../bench/cost/report.ts';
import { textOf } from '../../../bench/cost/text.ts';
import { workloadsOf } from '../../../bench/cost/workload.ts';
import { read } from '../../architecture/sources.ts';

const page = read('docs/cost.md');
const report = costReport('us-east-1');

describe('docs/cost.md', () => {
  test('shows what the command prints (update it with npm run cost -- --write)', () => {
    expect(page).toBe(pageWith(page, textOf(report)));
    expect(read(picturePath)).toBe(pictureOf(report));
  });

  test('lists every assumption with its value', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, field, value]) => [field, value]);
    const { contacts: _, ...usual } = workloadsOf()[0]!;
    const sizes = workloadsOf().map(({ contacts }) => contacts.toLocaleString('en'));
    const assumed = Object.entries(usual).map(([field, value]) => [field, String(value)]);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries([['contacts', sizes.join(', ')], ...assumed]));
  });

  test('must have the block that is replaced', () => {
    expect(() => pageWith('# Cost\n', 'x')).toThrow(/no block/);
  });
});

describe('the picture', () => {
  test('has a bar for each alternative and size, readable in light and dark', () => {
    const svg = pictureOf(report);
    expect(svg).toContain('@media (prefers-color-scheme:dark)');
    for (const { alternatives } of report.sizes) {
      for (const { name } of alternatives) expect(svg.split(`>${name}</text>`)).toHaveLength(1 + report.sizes.length);
    }
    const ends = [...svg.matchAll(/<rect class="\w+" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)];
    for (const [, x, width] of ends) expect(Number(x) + Number(width)).toBeLessThanOrEqual(741);
  });
});
