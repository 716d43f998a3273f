import { totalOf } from './bill.ts';
import type { CostReport } from './report.ts';

const firstColumn = 48;
const column = 14;

/** The report as tables for the terminal. */
export function textOf({ region, prices, idle, sizes, millions, events }: CostReport): string {
  const ofSizes = (name: string, of: (size: CostReport['sizes'][number]) => number) => row(name, sizes.map(of));
  return [
    `US dollars a month, ${region}, list prices of ${prices.date}. Check them before you rely on them.`,
    '',
    textRow(
      'contacts',
      sizes.map(({ workload }) => workload.contacts.toLocaleString('en')),
    ),
    ...sizes[0]!.parts.map(({ name }, at) => ofSizes(name, ({ parts }) => parts[at]!.dollars)),
    ofSizes('total', ({ parts }) => totalOf(parts)),
    '',
    'Options, not in the totals',
    ...sizes[0]!.options.map(({ name }, at) => ofSizes(name, ({ options }) => options[at]!.dollars)),
    '',
    row('A service that nobody uses', [idle]),
    '',
    textRow('A million of each', ['table', 'the rest']),
    ...millions.map(({ name, table, other }) => row(name, [table, other])),
    '',
    'A day of a million events',
    row('feed, with one reader', [events.feed]),
    row('a month of keeping them', [events.kept]),
    row('EventBridge bus', [events.bus]),
    row('each webhook that gets all of them', [events.webhook]),
  ].join('\n');
}

const textRow = (name: string, cells: readonly string[]): string =>
  name.padEnd(firstColumn) + cells.map((cell) => cell.padStart(column)).join('');

const row = (name: string, values: readonly number[]): string => textRow(name, values.map(dollars));

/** Two decimals: more would claim an accuracy that the assumptions do not have. */
const dollars = (value: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The block of docs/performance.md that shows this text. */
const block = /(```text\n)US dollars a month[\s\S]*?(\n```)/;

/** The page with this text. @throws Error if the page has no such block */
export function pageWith(page: string, text: string): string {
  if (!block.test(page)) throw new Error('docs/performance.md has no block that begins with "US dollars a month"');
  return page.replace(block, (_, before: string, after: string) => `${before}${text}${after}`);
}
