import { type Activity, activitiesOf, unconditional } from './activities.ts';
import { billOf, otherParts, type Part, storedBytes, sumOf } from './bill.ts';
import type { Prices } from './prices.ts';
import { hours, type Workload } from './workload.ts';

/** Assumptions about Aurora Serverless v2. */
const aurora = {
  /** The minimum without pauses. The sweeper reads every minute, so the database never pauses. */
  capacityUnits: 0.5,
  /** One writer. A second instance in another zone doubles the capacity. */
  instances: 1,
  /** Of each capacity unit, the part that caches pages. */
  cacheGigabytesPerUnit: 1.5,
} as const;

/** The service, with the database replaced or used in another way. */
export type Alternative = { name: string; parts: Part[] };

export function alternativesOf(workload: Workload, prices: Prices): [Alternative, Alternative, Alternative] {
  const activities = activitiesOf(workload);
  return [
    { name: 'this service', parts: billOf(workload, activities, prices) },
    {
      name: 'every record written unconditionally',
      parts: billOf(workload, activitiesOf(workload, unconditional), prices),
    },
    {
      name: 'Aurora Serverless v2 at its minimum',
      parts: [...auroraParts(workload, activities, prices), ...otherParts(workload, activities, prices)],
    },
  ];
}

/** The functions are in no VPC, so they use the Data API: one call for each round trip. */
function auroraParts(workload: Workload, activities: readonly Activity[], prices: Prices): Part[] {
  const data = (name: string, dollars: number): Part => ({ name, dollars, isData: true });
  const gigabytes = storedBytes(workload) / 1e9;
  const { acuHour, storageGb, backupGb, ioMillion, dataApiMillion } = prices.aurora;
  const reads = sumOf(activities, 'read') * missShare(gigabytes);
  return [
    data('Aurora: capacity', aurora.instances * aurora.capacityUnits * hours * acuHour),
    data('Aurora: reads and writes', ((reads + sumOf(activities, 'write')) / 1e6) * ioMillion),
    data('Aurora: Data API', (sumOf(activities, 'trips') / 1e6) * dataApiMillion),
    data('Aurora: storage', gigabytes * storageGb),
    data('Aurora: backups', gigabytes * backupGb),
  ];
}

/** Share of reads that are not cached, if all pages are read equally often. */
const missShare = (gigabytes: number): number =>
  gigabytes === 0 ? 0 : Math.max(0, 1 - (aurora.capacityUnits * aurora.cacheGigabytesPerUnit) / gigabytes);
