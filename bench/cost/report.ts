import { type Activity, activitiesOf, messageOf, rulesOf } from './activities.ts';
import { billOf, storedBytes, sumOf, totalOf } from './bill.ts';
import { eventsDay } from './events.ts';
import { date, prices, region } from './prices.ts';
import { backupDays, stackUnits } from './units.ts';
import { days, type Workload, workloads } from './workload.ts';

const firstColumn = 48;
const column = 14;

/** What the service costs in a month, as tables for the terminal and for docs/cost.md. */
export function costText(): string {
  const bills = workloads.map((workload) => billOf(workload, activitiesOf(workload), prices));
  const events = eventsDay(1e6, prices);
  const sizes = workloads.map(({ contacts }) => contacts.toLocaleString('en'));
  return [
    `US dollars a month, ${region}, list prices of ${date}. Check them before you rely on them.`,
    '',
    textRow('contacts', sizes),
    ...bills[0]!.map(({ name }, at) => row(name, ...bills.map((parts) => parts[at]!.dollars))),
    row('total', ...bills.map(totalOf)),
    '',
    'Options, not in the totals',
    ...Object.entries(options).map(([name, dollarsOf]) => row(name, ...workloads.map(dollarsOf))),
    '',
    row('A service that nobody uses', totalOf(billOf(unused, activitiesOf(unused), prices))),
    '',
    textRow('A million of each', ['table', 'the rest']),
    ...[...activitiesOf(workloads[0]!), ...rulesOf(1), messageOf(1)].map((each) => row(each.name, ...millionOf(each))),
    row('Amazon SES, for a message', 0, prices.ses.messagesMillion),
    '',
    'A day of a million events',
    row('feed, with one reader', events.feed),
    row('a month of keeping them', events.kept),
    row('EventBridge bus', events.bus),
    row('each webhook that gets all of them', events.webhook),
  ].join('\n');
}

const unused: Workload = { ...workloads[0]!, contacts: 0 };
const millionRequests = (workload: Workload) => sumOf(activitiesOf(workload), 'requests') / 1e6;

/** Not part of the stack, or not needed by everyone. */
const options: Record<string, (workload: Workload) => number> = {
  'a key of your own (KMS), without its requests': () => prices.kms.key,
  'the dashboard, if the account has three others': () => prices.cloudwatch.dashboard,
  'CloudFront in front of the API': (workload) => millionRequests(workload) * prices.cloudfront.requestsMillion,
  'daily backups, copied to another region': (workload) => {
    // Each backup of a table is a full one, and each is copied.
    const stored = (backupDays.own + backupDays.copies) * prices.backup.storageGb;
    return (storedBytes(workload) / 1e9) * (stored + days * prices.backup.transferGb);
  },
  'WAF on it, with six rules': (workload) => {
    const rules = prices.waf.webAcl + stackUnits.webAclRules * prices.waf.rule;
    return rules + millionRequests(workload) * prices.waf.requestsMillion;
  },
};

/** Dollars of the table and of the rest, without metrics, which do not grow with the number of requests. */
function millionOf(activity: Activity): [table: number, other: number] {
  const [idle, used] = [0, 1e6].map((count) => billOf(unused, [{ ...activity, count }], prices));
  const difference = used!.map((part, at) => ({ ...part, dollars: part.dollars - idle![at]!.dollars }));
  const parts = difference.filter(({ name }) => name !== 'metrics');
  const table = totalOf(parts.filter(({ name }) => name.startsWith('table')));
  return [table, totalOf(parts) - table];
}

const textRow = (name: string, cells: readonly string[]): string =>
  name.padEnd(firstColumn) + cells.map((cell) => cell.padStart(column)).join('');

/** Two decimals: more would claim an accuracy that the assumptions do not have. */
const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const row = (name: string, ...values: number[]): string =>
  textRow(
    name,
    values.map((value) => value.toLocaleString('en', decimals)),
  );

/** The block of docs/cost.md that shows this text. */
const block = /(```text\n)US dollars a month[\s\S]*?(\n```)/;

/** The page with this text. @throws Error if the page has no such block */
export function pageWith(page: string, text: string): string {
  if (!block.test(page)) throw new Error('docs/cost.md has no block that begins with "US dollars a month"');
  return page.replace(block, (_, before: string, after: string) => `${before}${text}${after}`);
}
