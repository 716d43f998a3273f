import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchExecuteStatementCommand,
  BatchGetCommand,
  DynamoDBDocumentClient,
  PutCommand,
} from '@aws-sdk/lib-dynamodb';
import { together } from '../bin/demo/together.ts';
import type { LocalDescription } from '../bin/local/data-directory.ts';
import { localAccess } from '../bin/local/environment.ts';
import { ensureTable } from '../bin/local/table.ts';
import type { OnboardingClient } from '../client/index.ts';
import { chunksOf, type Item } from '../lib/store/database.ts';
import { DynamoDatabase } from '../lib/store/dynamodb.ts';
import { derivedContactId } from '../lib/store/ids.ts';
import { accountKey, linkKey } from '../lib/store/keys.ts';
import { tableClient } from '../lib/store/table-client.ts';
import { median, rounded, secondsOf } from './measure.ts';
import { type BenchRecord, benchRecord } from './records.ts';

/** Each new record creates two items, an account and its link. */
const itemsPerRecord = 2;
/** The first round warms up both sides and is not counted. */
const rounds = 9;
const recordsPerRound = 10_000;
const callsAtOnce = 4;
const putsAtOnce = 32;
/** Single puts are slow, so only this part of the items is put one by one. */
const putShare = 1 / 5;
/** The same number that the import has in flight. */
const batchesAtOnce = 8;
const pollMilliseconds = 20;
const longestImport = 60_000;

export type ImportResult = {
  records_a_round: number;
  rounds: number;
  new_records_a_second: number;
  unchanged_records_a_second: number;
  imported_items_a_second: number;
  put_items_a_second: number;
  /** With 25 conditional statements in a request, as the import writes. */
  batched_items_a_second: number;
  read_items_a_second: number;
  /** Medians over the rounds: imported items a second divided by items put one by one, and by items written in batches. */
  ratio_to_puts: number;
  ratio_to_batches: number;
  /** Items of unchanged records a second divided by items read by a bare BatchGetItem. */
  ratio_to_reads: number;
};

type Round = { fresh: number; again: number; puts: number; batches: number; reads: number };

/**
 * Measures new and unchanged records from the first request until all are applied. Compares them with the same items put
 * one by one and written in batches of conditional statements to tables of their own, and read in batches from the
 * service's table, directly on the same engine.
 */
export async function benchImport(local: LocalDescription, client: OnboardingClient): Promise<ImportResult> {
  const engine = new DynamoDBClient({
    endpoint: local.dynamodb_endpoint,
    ...localAccess,
    maxAttempts: 3,
  });
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) measured.push(await benchRound(round, local, client, engine));
  engine.destroy();
  const counted = measured.slice(1);
  const items = (seconds: number) => (recordsPerRound * itemsPerRecord) / seconds;
  const middle = (of: (round: Round) => number) => rounded(median(counted.map(of)));
  return {
    records_a_round: recordsPerRound,
    rounds: counted.length,
    new_records_a_second: middle(({ fresh }) => recordsPerRound / fresh),
    unchanged_records_a_second: middle(({ again }) => recordsPerRound / again),
    imported_items_a_second: middle(({ fresh }) => items(fresh)),
    put_items_a_second: middle(({ puts }) => items(puts)),
    batched_items_a_second: middle(({ batches }) => items(batches)),
    read_items_a_second: middle(({ reads }) => items(reads)),
    ratio_to_puts: middle(({ puts, fresh }) => puts / fresh),
    ratio_to_batches: middle(({ batches, fresh }) => batches / fresh),
    ratio_to_reads: middle(({ reads, again }) => reads / again),
  };
}

async function benchRound(
  round: number,
  local: LocalDescription,
  client: OnboardingClient,
  engine: DynamoDBClient,
): Promise<Round> {
  const run = `bench-${Date.now()}-${round}`;
  const records = Array.from({ length: recordsPerRound }, (_, n) => benchRecord(`${run}-${n}`));
  const fresh = await secondsOf(() => importAll(client, run, records, 'applied'));
  const again = await secondsOf(() => importAll(client, `${run}-again`, records, 'unchanged'));
  const items = await storedItems(local, records);
  const table = `bench-puts-${round}`;
  await ensureTable(engine, table);
  const few = items.slice(0, items.length * putShare);
  const puts = (await secondsOf(() => putAll(engine, table, few))) / putShare;
  const batchTable = `bench-batches-${round}`;
  await ensureTable(engine, batchTable);
  const batches = await secondsOf(() => writeAll(engine, batchTable, items));
  const reads = await secondsOf(() => readAll(engine, local.table_name, items));
  return { fresh, again, puts, batches, reads };
}

/** Posts the records and waits until all are applied. @throws Error if a record has another outcome */
async function importAll(
  client: OnboardingClient,
  batchId: string,
  records: BenchRecord[],
  outcome: 'applied' | 'unchanged',
): Promise<void> {
  await client.batches.upload(records, { batchId, atOnce: callsAtOnce });
  for (const end = Date.now() + longestImport; Date.now() < end; await sleep(pollMilliseconds)) {
    const batch = await client.batches.get(batchId);
    if (batch.status === 'processing') continue;
    if (batch.records[outcome] === records.length) return;
    throw new Error(`not every record became ${outcome}: ${JSON.stringify(batch)}`);
  }
  throw new Error(`the import took longer than ${longestImport / 1000} seconds`);
}

/** The items that the import wrote, so that the puts write the same items. */
async function storedItems(local: LocalDescription, records: BenchRecord[]): Promise<Item[]> {
  const { team_id: team, table_name: tableName, dynamodb_endpoint: endpoint } = local;
  const client = tableClient({ ...localAccess, endpoint });
  const keys = records.flatMap(({ account_number, contact }) => [
    accountKey(team, account_number),
    linkKey(team, derivedContactId(team, contact.unique_id), account_number),
  ]);
  const items = await new DynamoDatabase({ tableName, client }).get(keys);
  return items.map((item, at) => {
    if (!item) throw new Error(`the import left out ${JSON.stringify(keys[at])}`);
    return item;
  });
}

async function putAll(engine: DynamoDBClient, table: string, items: readonly Item[]): Promise<void> {
  const client = DynamoDBDocumentClient.from(engine);
  await together(items, putsAtOnce, (Item) =>
    client.send(new PutCommand({ TableName: table, Item, ConditionExpression: 'attribute_not_exists(pk)' })),
  );
}

/** Inserts each item. @throws Error if a statement failed */
async function writeAll(engine: DynamoDBClient, table: string, items: readonly Item[]): Promise<void> {
  const client = DynamoDBDocumentClient.from(engine);
  await together(chunksOf(items, 25), batchesAtOnce, async (batch) => {
    const Statements = batch.map((item) => ({
      Statement: `INSERT INTO "${table}" VALUE {${Object.keys(item)
        .map((name) => `'${name}':?`)
        .join(',')}}`,
      Parameters: Object.values(item),
    }));
    const { Responses = [] } = await client.send(new BatchExecuteStatementCommand({ Statements }));
    if (Responses.some(({ Error: failed }) => failed)) throw new Error('a statement failed');
  });
}

/** @throws Error if an item was not found */
async function readAll(engine: DynamoDBClient, table: string, items: readonly Item[]): Promise<void> {
  const client = DynamoDBDocumentClient.from(engine);
  await together(chunksOf(items, 100), batchesAtOnce, async (batch) => {
    const Keys = batch.map(({ pk, sk }) => ({ pk, sk }));
    const request = { RequestItems: { [table]: { Keys, ConsistentRead: true } } };
    const { Responses } = await client.send(new BatchGetCommand(request));
    if (Responses?.[table]?.length !== batch.length) throw new Error('an item was not found');
  });
}
