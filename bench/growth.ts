import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { LocalDescription } from '../bin/local/data-directory.ts';
import { localAccess } from '../bin/local/environment.ts';
import { longRequests } from '../lib/store/connections.ts';
import { DynamoDatabase } from '../lib/store/dynamodb.ts';
import { tableClient } from '../lib/store/table-client.ts';
import { growingTeam, type Operation } from './growth/team.ts';
import { putContacts } from './lookup.ts';
import { median, rounded, secondsOf } from './measure.ts';

const sizes = [1000, 10_000, 100_000];
const largest = 1_000_000;

export type GrowthResult = {
  operation: string;
  contacts: number;
  /** Of one call, or of one record of an import. Means; the engine counts the units. */
  read_units: number;
  write_units: number;
  round_trips: number;
  /** Median. */
  ms: number;
};

/** Counts round trips: requests that are under way together count as one. */
function roundTripsOf(client: DynamoDBDocumentClient): () => number {
  let [roundTrips, underWay] = [0, 0];
  client.middlewareStack.add(
    (next) => (args) => {
      if (underWay++ === 0) roundTrips++;
      return next(args).finally(() => underWay--);
    },
    { step: 'initialize' },
  );
  return () => roundTrips;
}

type Total = { reads: number; writes: number };

/** What the main operations cost as the contacts of a team grow. */
export async function benchGrowth(
  { dynamodb_endpoint, table_name: tableName }: LocalDescription,
  withMillion: boolean,
): Promise<GrowthResult[]> {
  // Among a million contacts, the engine needs seconds for a page of a sorted list.
  const client = tableClient({ endpoint: dynamodb_endpoint, ...localAccess, requestHandler: longRequests });
  const roundTrips = roundTripsOf(client);
  const total: Total = { reads: 0, writes: 0 };
  const onConsumed = ({ readUnits, writeUnits }: { readUnits: number; writeUnits: number }) => {
    total.reads += readUnits;
    total.writes += writeUnits;
  };
  const database = new DynamoDatabase({ tableName, client, onConsumed });
  try {
    let contacts = 0;
    const { teamId, operations } = await growingTeam(database, () => contacts);
    const results: GrowthResult[] = [];
    for (const size of withMillion ? [...sizes, largest] : sizes) {
      await putContacts(database, teamId, size, contacts);
      contacts = size;
      for (const operation of operations) {
        results.push({ ...(await costOf(operation, total, roundTrips)), contacts });
      }
    }
    return results;
  } finally {
    client.destroy();
  }
}

let calls = 0;

/** Calls the operation once before it counts, as an instance that has cached the content. */
async function costOf(
  { name, run, calls: count, parts = 1 }: Operation,
  total: Total,
  roundTrips: () => number,
): Promise<Omit<GrowthResult, 'contacts'>> {
  await run(calls++);
  Object.assign(total, { reads: 0, writes: 0 });
  const before = roundTrips();
  const times: number[] = [];
  for (let call = 0; call < count; call++) times.push(await secondsOf(() => run(calls++)));
  const mean = (sum: number) => rounded(sum / count / parts);
  return {
    operation: name,
    read_units: mean(total.reads),
    write_units: mean(total.writes),
    round_trips: mean(roundTrips() - before),
    ms: rounded((1000 * median(times)) / parts),
  };
}

export function growthText(results: readonly GrowthResult[]): string {
  const contacts = [...new Set(results.map((each) => each.contacts))];
  const cell = ({ read_units, write_units, round_trips, ms }: GrowthResult) =>
    `${read_units} + ${write_units}, ${round_trips} trips, ${ms} ms`;
  return [
    `| operation | ${contacts.map((count) => `${count.toLocaleString('en')} contacts`).join(' | ')} |`,
    `|---|${contacts.map(() => '---').join('|')}|`,
    ...[...new Set(results.map(({ operation }) => operation))].map((operation) => {
      const own = results.filter((each) => each.operation === operation);
      return `| ${operation} | ${own.map(cell).join(' | ')} |`;
    }),
  ].join('\n');
}
