import {
  type AttributeValue,
  BatchGetItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  ScanCommand,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';

export type DrillReport = {
  table: string;
  restored_table: string;
  /** Seconds until the restored table was ready. */
  seconds: number;
  /** Items that were read from the restored table. */
  sampled: number;
  same: number;
  /** Items that are different in the table of the service, or not there: changed after the restored time, or damaged. */
  changed: number;
  /** Names of the indexes that the restored table lacks, and a line if its keys differ. */
  problems: string[];
};

export type DrillOptions = {
  table: string;
  restoredTable: string;
  /** Items to compare. */
  sample: number;
  /** Milliseconds between two looks at the state of the restored table. */
  poll?: number;
  say?: (line: string) => void;
};

type StoredItem = Record<string, AttributeValue>;

/** DynamoDB reads at most 100 items in a request. */
const keysPerRead = 100;

/**
 * Restores the table to the latest possible second under another name, compares a sample of its items with the table of
 * the service, and deletes the restored table, also if the comparison fails. Never writes to the table of the service.
 */
export async function drill(client: DynamoDBClient, options: DrillOptions): Promise<DrillReport> {
  const { table, restoredTable, sample, poll = 10_000, say = () => {} } = options;
  const source = await describe(client, table);
  const start = performance.now();
  await client.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: table,
      TargetTableName: restoredTable,
      UseLatestRestorableTime: true,
    }),
  );
  try {
    say(`Restoring ${table} as ${restoredTable}.`);
    const restored = await whenActive(client, restoredTable, poll);
    const seconds = Math.round((performance.now() - start) / 1000);
    say(`Restored after ${seconds} seconds. Comparing up to ${sample} items.`);
    const counts = await compare(client, table, restoredTable, sample);
    return { table, restored_table: restoredTable, seconds, ...counts, problems: problemsOf(source, restored, counts) };
  } finally {
    await whenActive(client, restoredTable, poll);
    await client.send(new DeleteTableCommand({ TableName: restoredTable }));
    say(`Deleted ${restoredTable}.`);
  }
}

async function describe(client: DynamoDBClient, table: string): Promise<TableDescription> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table }));
  if (!Table) throw new Error(`the table ${table} cannot be described`);
  return Table;
}

async function whenActive(client: DynamoDBClient, table: string, poll: number): Promise<TableDescription> {
  for (;;) {
    const described = await describe(client, table);
    if (described.TableStatus === 'ACTIVE') return described;
    if (described.TableStatus !== 'CREATING') throw new Error(`the table ${table} is ${described.TableStatus}`);
    await new Promise((resolve) => setTimeout(resolve, poll));
  }
}

async function compare(client: DynamoDBClient, table: string, restoredTable: string, sample: number) {
  const counts = { sampled: 0, same: 0, changed: 0 };
  let start: StoredItem | undefined;
  do {
    const Limit = Math.min(keysPerRead, sample - counts.sampled);
    const page = await client.send(
      new ScanCommand({ TableName: restoredTable, Limit, ...(start ? { ExclusiveStartKey: start } : {}) }),
    );
    const items = page.Items ?? [];
    const current = await read(client, table, items);
    for (const item of items) {
      counts.sampled += 1;
      counts[isSame(current.get(nameOf(item)), item) ? 'same' : 'changed'] += 1;
    }
    start = page.LastEvaluatedKey;
  } while (start && counts.sampled < sample);
  return counts;
}

async function read(client: DynamoDBClient, table: string, items: StoredItem[]): Promise<Map<string, StoredItem>> {
  const found = new Map<string, StoredItem>();
  let keys: StoredItem[] = items.map(({ pk, sk }) => ({ pk: pk!, sk: sk! }));
  while (keys.length > 0) {
    const response = await client.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { Keys: keys, ConsistentRead: true } } }),
    );
    for (const item of response.Responses?.[table] ?? []) found.set(nameOf(item), item);
    keys = response.UnprocessedKeys?.[table]?.Keys ?? [];
  }
  return found;
}

const nameOf = ({ pk, sk }: StoredItem) => JSON.stringify([pk?.S, sk?.S]);

/** Attributes of an item, and members of a map, have no order. */
const sorted = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
};
const isSame = (a: StoredItem | undefined, b: StoredItem) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

function problemsOf(source: TableDescription, restored: TableDescription, { sampled }: { sampled: number }): string[] {
  const indexes = new Set(restored.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  const missing = (source.GlobalSecondaryIndexes ?? []).filter(({ IndexName }) => !indexes.has(IndexName));
  return [
    ...(isSameKeys(source, restored) ? [] : ['its keys differ']),
    ...missing.map(({ IndexName }) => `the index ${IndexName} is missing`),
    ...(sampled === 0 ? ['it has no items'] : []),
  ];
}

const isSameKeys = (a: TableDescription, b: TableDescription) =>
  JSON.stringify(sorted(a.KeySchema)) === JSON.stringify(sorted(b.KeySchema));
