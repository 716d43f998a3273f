import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchExecuteStatementCommand, BatchGetCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { LocalDescription } from '../bin/local/description.ts';
import { localAccess } from '../bin/local/functions/environment.ts';
import { ensureTable } from '../bin/local/storage/table.ts';
import type { OnboardingClient } from '../client/index.ts';
import { tableClient } from '../lib/store/aws/table-client.ts';
import { chunksOf, type Item } from '../lib/store/table/database.ts';
import { DynamoDatabase } from '../lib/store/table/dynamodb.ts';
import { derivedContactId } from '../lib/store/table/ids.ts';
import { accountKey, linkKey } from '../lib/store/table/keys.ts';
import { together } from '../lib/store/table/together.ts';
import type { Service } from './functions/first-requests.ts';
import { median, rounded, secondsOf } from './measure.ts';

/** The first round warms up both sides and is not counted. */
const rounds = 9;
const recordsPerRound = 10_000;
const callsAtOnce = 4;
/** The same number that the import has in flight. */
const batchesAtOnce = 8;
const pollMilliseconds = 20;
const longestImport = 60_000;

export type ImportResult = {
  rounds: number;
  /** Records a second. */
  new: number;
  unchanged: number;
  /** Medians over the rounds: items of new records a second divided by the same items written in batches. */
  new_to_batches: number;
  /** Items of unchanged records a second divided by items read by a bare BatchGetItem. */
  unchanged_to_reads: number;
};

type BenchRecord = ReturnType<typeof benchRecord>;

/** About 400 bytes of JSON, as a core banking system would send. */
const benchRecord = (number: string) => ({
  account_number: number,
  contact: { unique_id: `holder-of-${number}`, role: 'primary' },
  product: { code: 'CHK-M', type: 'checking', standardized_type: 'checking', name: 'Current account' } as const,
  opened_date: '1995-03-24',
  status_code: 'A',
  balance: '10482.17',
  number_transactions_last_30_days: 12,
  nickname: 'Household',
  meta_public: { branch: { city: 'Pisek', number: 18 } },
  meta_private: { segment: 'standard', opened_by: 'branch-18' },
});

type Round = { fresh: number; again: number; batches: number; reads: number };

/**
 * Measures new and unchanged records from the first request until all are applied. Compares them with the same items
 * written in batches of conditional statements to a table of their own, and read in batches from the service's table,
 * directly on the same engine.
 */
export async function benchImport(service: Service): Promise<ImportResult> {
  const engine = new DynamoDBClient({ endpoint: service.local.dynamodb_endpoint, ...localAccess, maxAttempts: 3 });
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) measured.push(await benchRound(round, service, engine));
  engine.destroy();
  const counted = measured.slice(1);
  const middle = (of: (round: Round) => number) => rounded(median(counted.map(of)));
  return {
    rounds: counted.length,
    new: middle(({ fresh }) => recordsPerRound / fresh),
    unchanged: middle(({ again }) => recordsPerRound / again),
    new_to_batches: middle(({ batches, fresh }) => batches / fresh),
    unchanged_to_reads: middle(({ reads, again }) => reads / again),
  };
}

async function benchRound(round: number, { local, client }: Service, engine: DynamoDBClient) {
  const run = `bench-${Date.now()}-${round}`;
  const records = Array.from({ length: recordsPerRound }, (_, n) => benchRecord(`${run}-${n}`));
  const fresh = await secondsOf(() => importAll(client, run, records, 'applied'));
  const again = await secondsOf(() => importAll(client, `${run}-again`, records, 'unchanged'));
  const items = await storedItems(local, records);
  const batchTable = `bench-batches-${round}`;
  await ensureTable(engine, batchTable);
  const batches = await secondsOf(() => writeAll(engine, batchTable, items));
  const reads = await secondsOf(() => readAll(engine, local.table_name, items));
  return { fresh, again, batches, reads };
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

/** The items that the import wrote: an account and its link for each record. */
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
