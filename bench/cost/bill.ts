import type { Activity } from './activities.ts';
import type { Prices } from './prices.ts';
import { durations, logBytes, metricUnits, stackUnits, storedUnits } from './units.ts';
import { accountsOf, chunksOf, days, hours, type Workload } from './workload.ts';

/** US dollars a month, by part. Those of the table are named so. */
export type Part = { name: string; dollars: number };

const million = 1e6;
const gigabyte = 1e9;
/** DynamoDB adds this to each item and to each entry of an index. */
const itemOverhead = 100;
/** CloudWatch stores logs compressed. The service keeps those of functions for 3 months, the access log for 12. */
const logCompression = 0.15;
const logMonths = { functions: 3, access: 12 };
/** Bytes of a row in the sample bank's file, kept for 30 days in the drop box. */
const fileRowBytes = 100;

export const sumOf = (activities: readonly Activity[], field: keyof Omit<Activity, 'name' | 'count'>): number =>
  activities.reduce((sum, each) => sum + each.count * each[field], 0);

export const totalOf = (parts: readonly Part[]): number => parts.reduce((sum, { dollars }) => sum + dollars, 0);

/** What the deployed service costs, used or not. */
export function billOf(workload: Workload, activities: readonly Activity[], prices: Prices): Part[] {
  const { dynamodb, apiGateway, sqs, cloudwatch, secretsManager, s3 } = prices;
  const stored = storedBytes(workload) / gigabyte;
  // The teams, the expected files and the requested erasures are listed, and what waits for one team is read three times.
  const reads = sumOf(activities, 'read') + sweeps * 3;
  const standard = stackUnits.standardSources * pollsPerSource;
  const fifo = stackUnits.fifoSources * pollsPerSource + sumOf(activities, 'fifoMessages');
  const parts = {
    'table: writes':
      ((sumOf(activities, 'write') + heartbeats * heartbeatUnits) / million) * dynamodb.writeUnitsMillion,
    'table: reads': (reads / million) * dynamodb.readUnitsMillion,
    'table: storage': stored * dynamodb.storageGb,
    'table: backups': stored * dynamodb.backupGb,
    'API requests': (sumOf(activities, 'requests') / million) * apiGateway.requestsMillion,
    functions: functionDollars(activities, prices),
    queues: (standard * sqs.standardMillion + fifo * sqs.fifoMillion) / million,
    logs: logDollars(activities, prices),
    files: ((accountsOf(workload) * fileRowBytes * days) / gigabyte) * s3.storageGb,
    alarms: stackUnits.alarmMetrics * cloudwatch.alarmMetric,
    metrics: metricsOf(activities) * cloudwatch.metric,
    secret: stackUnits.secrets * secretsManager.secret,
  };
  return Object.entries(parts).map(([name, dollars]) => ({ name, dollars }));
}

/** The sweeper and the worker of erasures run every minute, with 256 and 1024 MB. */
const sweeps = 2 * hours * 60;
/** The sweeper changes an item every minute, in a transaction, which invokes the publisher. */
const heartbeats = hours * 60;
const heartbeatUnits = 2;
const sweeperGigabytes = 1.25 / 2;
/** An event source polls with five connections, each of which waits up to 20 seconds for a message. */
const pollsPerSource = 5 * 3 * 60 * hours;

function functionDollars(activities: readonly Activity[], { lambda }: Prices): number {
  const gbSeconds = sumOf(activities, 'gbSeconds') + (sweeps * sweeperGigabytes * durations.sweep) / 1000;
  const invocations = sumOf(activities, 'invocations') + sweeps + heartbeats;
  return gbSeconds * lambda.armGbSecond + (invocations / million) * lambda.requestsMillion;
}

function logDollars(activities: readonly Activity[], { cloudwatch }: Prices): number {
  const functions = sumOf(activities, 'functionLogs') + sweeps * (logBytes.sweep + logBytes.platform);
  const access = sumOf(activities, 'accessLogs');
  const stored = (functions * logMonths.functions + access * logMonths.access) * logCompression;
  return ((functions + access) * cloudwatch.logGb + stored * cloudwatch.logStorageGb) / gigabyte;
}

function metricsOf(activities: readonly Activity[]): number {
  const routes = activities.filter(({ requests, count }) => requests > 0 && count > 0).length;
  const hasFiles = activities.some(({ requests, count }) => requests === 0 && count > 0);
  const ofFiles = hasFiles ? (metricUnits.files * metricUnits.filesHours) / 24 : 0;
  return metricUnits.sweeper + routes * metricUnits.route + ofFiles;
}

/** Bytes in the table and its indexes, as DynamoDB bills them. */
export function storedBytes(workload: Workload): number {
  const { contacts, journeyShare, journeyPages, journeyCompletions, monthsKept } = workload;
  const of = ({ bytes, items }: { bytes: number; items: number }) => bytes + items * itemOverhead;
  const journey = of(storedUnits.journey) + (journeyPages + journeyCompletions) * of(storedUnits.action);
  return (
    contacts * of(storedUnits.contact) +
    accountsOf(workload) * (of(storedUnits.account) + of(storedUnits.link)) +
    contacts * journeyShare * monthsKept * journey +
    chunksOf(workload) * (monthsKept * of(storedUnits.chunk) + of(storedUnits.payload))
  );
}
