import { type Activity, activitiesOf } from './activities.ts';
import { billOf, type Part, storedBytes, sumOf, totalOf } from './bill.ts';
import { type EventsDay, eventsDay } from './events.ts';
import { date, note, type Prices, prices, region } from './prices.ts';
import { backupDays, stackUnits } from './units.ts';
import { days, type Workload, workloads } from './workload.ts';

export type Option = { name: string; dollars: number };
export type Size = { workload: Workload; parts: Part[]; options: Option[] };
export type CostReport = {
  region: string;
  prices: { date: string; note: string };
  /** Dollars a month of a service that nobody uses. */
  idle: number;
  sizes: Size[];
  /** Dollars for a million of each activity, without what the idle service costs. */
  millions: { name: string; table: number; other: number }[];
  /** Dollars for a day of a million events. */
  events: EventsDay;
};

export function costReport(): CostReport {
  const sizes = workloads.map((workload) => ({
    workload,
    parts: billOf(workload, activitiesOf(workload), prices),
    options: optionsOf(workload, prices),
  }));
  const unused = unusedOf(workloads[0]!);
  return {
    region,
    prices: { date, note },
    idle: totalOf(billOf(unused, activitiesOf(unused), prices)),
    sizes,
    millions: activitiesOf(workloads[0]!).map((activity) => millionOf(activity, unused, prices)),
    events: eventsDay(1e6, prices),
  };
}

const unusedOf = (workload: Workload): Workload => ({ ...workload, contacts: 0 });

/** Not part of the stack, or not needed by everyone. */
function optionsOf(workload: Workload, { kms, cloudwatch, cloudfront, waf, backup }: Prices): Option[] {
  const requests = sumOf(activitiesOf(workload), 'requests') / 1e6;
  const gigabytes = storedBytes(workload) / 1e9;
  const { own, copies } = backupDays;
  const rules = waf.webAcl + stackUnits.webAclRules * waf.rule;
  // Each backup of a table is a full one, and each is copied.
  const backups = gigabytes * ((own + copies) * backup.storageGb + days * backup.transferGb);
  return [
    { name: 'a key of your own (KMS), without its requests', dollars: kms.key },
    { name: 'the dashboard, if the account has three others', dollars: cloudwatch.dashboard },
    { name: 'CloudFront in front of the API', dollars: requests * cloudfront.requestsMillion },
    { name: 'daily backups, copied to another region', dollars: backups },
    { name: 'WAF on it, with six rules', dollars: rules + requests * waf.requestsMillion },
  ];
}

/** Without metrics, which do not grow with the number of requests. */
function millionOf(activity: Activity, unused: Workload, prices: Prices) {
  const idle = billOf(unused, [{ ...activity, count: 0 }], prices);
  const used = billOf(unused, [{ ...activity, count: 1e6 }], prices);
  const difference = used.map((part, at) => ({ ...part, dollars: part.dollars - idle[at]!.dollars }));
  const parts = difference.filter(({ name }) => name !== 'metrics');
  const table = totalOf(parts.filter(({ name }) => name.startsWith('table')));
  return { name: activity.name, table, other: totalOf(parts) - table };
}
