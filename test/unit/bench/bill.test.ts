import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Activity, activitiesOf } from '../../../bench/cost/activities.ts';
import { billOf, storedBytes, totalOf } from '../../../bench/cost/bill.ts';
import { prices } from '../../../bench/cost/prices.ts';
import { type Workload, workloadOf } from '../../../bench/cost/workload.ts';

const quiet: Workload = {
  contacts: 1000,
  accountsPerContact: 1,
  changedShare: 0.1,
  contactChangesPerDay: 0,
  contactReads: 0,
  lookups: 0,
  contentShownShare: 0,
  journeyShare: 0,
  journeyPages: 0,
  journeyCompletions: 0,
  clients: 0,
  monthsKept: 0,
};
const nobody: Workload = { ...quiet, contacts: 0 };
const byName = <T extends { name: string }>(all: readonly T[], name: string): T =>
  all.find((each) => each.name === name)!;

describe('a bill calculated by hand', () => {
  const activity: Activity = {
    ...{ name: 'a', count: 1e6, read: 2, write: 1, trips: 1, requests: 1, invocations: 1 },
    ...{ gbSeconds: 0.01, fifoMessages: 3, functionLogs: 1000, accessLogs: 500 },
  };

  test.each([
    // A million writes, and two for each of the 43,800 heartbeats.
    ['table: writes', 1.0876 * 0.625],
    // Two million reads, and three for each of the 87,600 runs of the sweeper and the worker of erasures.
    ['table: reads', 2.2628 * 0.125],
    ['table: storage', 0],
    ['table: backups', 0],
    ['API requests', 1],
    // 10,000 GB-seconds, and 30 ms of 0.625 GB for each of these runs; 1,131,400 invocations.
    ['functions', 11_642.5 * 0.0000133334 + 1.1314 * 0.2],
    // 657,000 polls of each of five event sources, one of them standard, and three million messages.
    ['queues', 0.657 * 0.4 + (2.628 + 3) * 0.5],
    // 1 GB and the 150.67 MB of these runs, 0.5 GB of the access log; stored for 3 and 12 months, compressed.
    ['logs', 1.650672 * 0.5 + (1.150672 * 3 + 0.5 * 12) * 0.15 * 0.03],
    ['files', 0],
    ['alarms', 53 * 0.1],
    // Eleven of the sweeper and two of the route.
    ['metrics', 3.9],
    ['secret', 0.4],
  ])('%s', (name, expected) => {
    expect(byName(billOf(nobody, [activity], prices), name).dollars).toBeCloseTo(expected, 9);
  });

  test('has no other parts', () => {
    expect(billOf(nobody, [activity], prices)).toHaveLength(12);
  });

  test('stores contacts with two index entries, accounts with links, and 30 nights of chunks', () => {
    const contacts = 1000 * (1510 + 300);
    const accounts = 1000 * (430 + 100 + 235 + 100);
    // Two chunks a night, of which only the compressed records count here.
    const chunks = 60 * (7800 + 100);
    expect(storedBytes(quiet)).toBe(contacts + accounts + chunks);
    expect(byName(billOf(quiet, activitiesOf(quiet), prices), 'table: storage').dollars).toBeCloseTo(
      ((contacts + accounts + chunks) / 1e9) * 0.25,
      9,
    );
  });
});

describe('a month', () => {
  test('has 30 files, of which only the changed records are written', () => {
    const [unchanged, changed, ...others] = activitiesOf(quiet);
    expect(unchanged).toMatchObject({ count: 27_000, requests: 0 });
    expect(changed).toMatchObject({ count: 3000, requests: 0 });
    // A five-hundredth of a chunk (4 reads, 14 writes) and of its payload (2.4 reads, 8.2 writes).
    expect(unchanged!.read).toBeCloseTo(2.0128, 9);
    expect(unchanged!.write).toBeCloseTo(0.0444, 9);
    expect(changed!.write).toBeCloseTo(1.0444, 9);
    expect(others.filter(({ count }) => count > 0)).toEqual([]);
  });

  test('has the lookups, changes and journeys of its contacts', () => {
    const workload = workloadOf(1000);
    const counts = Object.fromEntries(activitiesOf(workload).map(({ name, count }) => [name, count]));
    expect(counts).toMatchObject({
      'changed contact': 300,
      'read of a contact': 1000,
      'channel lookup': 7200,
      'channel content shown': 2160,
      'journey started': 20,
      'journey page viewed': 100,
      'journey page completed': 80,
      'access token': 2190,
    });
  });
});

describe('more of anything', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const amount = fc.double({ min: 0, max: 100, noNaN: true });
  const workloads: fc.Arbitrary<Workload> = fc.record({
    contacts: fc.integer({ min: 0, max: 10_000_000 }),
    accountsPerContact: amount,
    changedShare: share,
    contactChangesPerDay: share,
    contactReads: amount,
    lookups: amount,
    contentShownShare: share,
    journeyShare: share,
    journeyPages: amount,
    journeyCompletions: amount,
    clients: amount,
    monthsKept: amount,
  });
  const fields = Object.keys(quiet) as (keyof Workload)[];

  test('never costs less', () => {
    fc.assert(
      fc.property(workloads, workloads, fc.constantFrom(...fields), (one, other, field) => {
        const less = { ...one, [field]: Math.min(one[field], other[field]) };
        const more = { ...one, [field]: Math.max(one[field], other[field]) };
        const total = (of: Workload) => totalOf(billOf(of, activitiesOf(of), prices));
        expect(total(more) * (1 + 1e-9)).toBeGreaterThanOrEqual(total(less));
      }),
    );
  });

  test('never gives a negative part', () => {
    fc.assert(
      fc.property(workloads, (workload) => {
        const parts = billOf(workload, activitiesOf(workload), prices);
        for (const { dollars } of parts) expect(dollars).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
