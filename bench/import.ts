import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { together } from '../bin/demo/together.ts';
import type { LocalDescription } from '../bin/local/data-directory.ts';
import { ensureTable } from '../bin/local/table.ts';
import type { OnboardingClient } from '../client/index.ts';
import type { Item } from '../lib/store/database.ts';
import { DynamoDatabase } from '../lib/store/dynamodb.ts';
import { accountKey, derivedContactId, linkKey } from '../lib/store/keys.ts';
import { median, rounded, secondsOf } from './measure.ts';

/** Each new record makes two items, an account and its link. */
const itemsPerRecord = 2;
const rounds = 3;
const recordsPerRound = 5000;
const callsAtOnce = 4;
const putsAtOnce = 32;
const pollMilliseconds = 20;
const longestImport = 60_000;

export type ImportResult = {
  records_a_round: number;
  rounds: number;
  new_records_a_second: number;
  unchanged_records_a_second: number;
  imported_items_a_second: number;
  put_items_a_second: number;
  /** The median over the rounds of imported items a second over items put a second. */
  ratio_to_puts: number;
};

type Round = { fresh: number; again: number; puts: number };

/** New and unchanged records from the first post to the last applied, beside the same items put one by one. */
export async function benchImport(local: LocalDescription, client: OnboardingClient): Promise<ImportResult> {
  const engine = new DynamoDBClient({
    endpoint: local.dynamodb_endpoint,
    region: 'us-east-1',
    credentials,
    maxAttempts: 3,
  });
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) measured.push(await benchRound(round, local, client, engine));
  engine.destroy();
  const items = (seconds: number) => (recordsPerRound * itemsPerRecord) / seconds;
  const middle = (of: (round: Round) => number) => rounded(median(measured.map(of)));
  return {
    records_a_round: recordsPerRound,
    rounds,
    new_records_a_second: middle(({ fresh }) => recordsPerRound / fresh),
    unchanged_records_a_second: middle(({ again }) => recordsPerRound / again),
    imported_items_a_second: middle(({ fresh }) => items(fresh)),
    put_items_a_second: middle(({ puts }) => items(puts)),
    ratio_to_puts: middle(({ fresh, puts }) => puts / fresh),
  };
}

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

async function benchRound(
  round: number,
  local: LocalDescription,
  client: OnboardingClient,
  engine: DynamoDBClient,
): Promise<Round> {
  const run = `bench-${Date.now()}-${round}`;
  const records = Array.from({ length: recordsPerRound }, (_, n) => accountRecord(`${run}-${n}`));
  const fresh = await secondsOf(() => importAll(client, run, records, 'applied'));
  const again = await secondsOf(() => importAll(client, `${run}-again`, records, 'unchanged'));
  const items = await storedItems(local, engine, records);
  const table = `bench-puts-${round}`;
  await ensureTable(engine, table);
  const puts = await secondsOf(() => putAll(engine, table, items));
  return { fresh, again, puts };
}

type AccountRecord = ReturnType<typeof accountRecord>;

/** Some 400 bytes of JSON, as a core banking system would send. */
const accountRecord = (number: string) => ({
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

/** Posts the records and waits until all are done. @throws Error when one did not become what it should. */
async function importAll(
  client: OnboardingClient,
  batchId: string,
  records: AccountRecord[],
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

/** The items that the import wrote, so that the puts write the very same. */
async function storedItems(local: LocalDescription, client: DynamoDBClient, records: AccountRecord[]): Promise<Item[]> {
  const { team_id: team, table_name: tableName } = local;
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
