import type { BatchStatementResponse, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchExecuteStatementCommand,
  BatchGetCommand,
  DynamoDBDocumentClient,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import {
  type Database,
  type Item,
  type Page,
  type QueryInput,
  StoreUnavailable,
  type Upsert,
  type Write,
} from './database.ts';
import type { Key } from './keys.ts';
import { isPastItsEnd, queryOf, statementOf, transactionItemOf } from './requests.ts';
import { table } from './table.ts';

/** DynamoDB takes 100 keys to a BatchGetItem and 25 statements to a BatchExecuteStatement. */
const keysPerRead = 100;
const statementsPerWrite = 25;
/** Requests of one call that are under way at once. */
const parallel = 8;
/** Rounds over what the store left unprocessed or throttled; with the waits between them some five seconds in all. */
const rounds = 8;

const transient = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'InternalServerError',
  'ServiceUnavailable',
  'TransactionConflictException',
  'TransactionInProgressException',
]);
/** The same conditions as a statement of a batch names them. */
const transientStatement = new Set([
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
  'RequestLimitExceeded',
  'InternalServerError',
  'TransactionConflict',
]);
/** Somebody else was there first: of a statement, and of a part of a transaction. */
const lost = new Set(['ConditionalCheckFailed', 'DuplicateItem']);

/** What one request cost, as the engine counted it. */
export type Consumed = { operation: string; readUnits: number; writeUnits: number };

export type DynamoDatabaseOptions = {
  tableName: string;
  client: DynamoDBClient;
  /** Told of every round trip and its cost; asking for the cost makes each answer a little larger. */
  onConsumed?: (consumed: Consumed) => void;
  /** Milliseconds to wait before round `n` (from 1) of a retried call. */
  backoff?: (round: number) => number;
};

const defaultBackoff = (round: number) => Math.random() * Math.min(50 * 2 ** round, 1000);

export class DynamoDatabase implements Database {
  readonly #client: DynamoDBDocumentClient;
  readonly #tableName: string;
  readonly #onConsumed: DynamoDatabaseOptions['onConsumed'];
  readonly #backoff: (round: number) => number;

  constructor(options: DynamoDatabaseOptions) {
    this.#client = DynamoDBDocumentClient.from(options.client, { marshallOptions: { removeUndefinedValues: true } });
    this.#tableName = options.tableName;
    this.#onConsumed = options.onConsumed;
    this.#backoff = options.backoff ?? defaultBackoff;
  }

  async get(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    const distinct = new Map(keys.map((key) => [nameOf(key), { pk: key.pk, sk: key.sk }]));
    const found = new Map<string, Item>();
    await inParallel(chunksOf([...distinct.values()], keysPerRead), async (chunk) => {
      let pending = chunk;
      await this.#persist('get', async () => {
        const answer = await this.#client.send(
          new BatchGetCommand({
            RequestItems: { [this.#tableName]: { Keys: pending, ConsistentRead: true } },
            ...this.#counting(),
          }),
        );
        this.#count('BatchGetItem', 'read', answer.ConsumedCapacity);
        for (const item of (answer.Responses?.[this.#tableName] ?? []) as Item[]) found.set(nameOf(item), item);
        pending = (answer.UnprocessedKeys?.[this.#tableName]?.Keys ?? []) as Key[];
        return pending.length === 0;
      });
    });
    return keys.map((key) => found.get(nameOf(key)));
  }

  async query(input: QueryInput): Promise<Page> {
    if (isPastItsEnd(input)) return { items: [] };
    const command = queryOf(this.#tableName, input);
    let page: Page = { items: [] };
    await this.#persist('query', async () => {
      const answer = await this.#client.send(new QueryCommand({ ...command, ...this.#counting() }));
      this.#count('Query', 'read', answer.ConsumedCapacity ? [answer.ConsumedCapacity] : undefined);
      const sortKey = input.index ? table.indexes[input.index].sortKey : table.sortKey;
      const next = answer.LastEvaluatedKey?.[sortKey] as string | undefined;
      page = { items: (answer.Items ?? []) as Item[], ...(next === undefined ? {} : { next }) };
      return true;
    });
    return page;
  }

  async write(writes: readonly Upsert[]): Promise<boolean[]> {
    const written = new Array<boolean>(writes.length).fill(false);
    const indexed = writes.map((write, index) => ({ index, statement: statementOf(this.#tableName, write) }));
    await inParallel(chunksOf(indexed, statementsPerWrite), async (chunk) => {
      let pending = chunk;
      await this.#persist('write', async () => {
        const answer = await this.#client.send(
          new BatchExecuteStatementCommand({ Statements: pending.map((each) => each.statement), ...this.#counting() }),
        );
        this.#count('BatchExecuteStatement', 'write', answer.ConsumedCapacity);
        const again: typeof pending = [];
        for (const [position, each] of pending.entries()) {
          const outcome = outcomeOf(answer.Responses?.[position]);
          if (outcome === 'again') again.push(each);
          else written[each.index] = outcome === 'written';
        }
        pending = again;
        return pending.length === 0;
      });
    });
    return written;
  }

  async transact(writes: readonly Write[]): Promise<boolean> {
    let committed = false;
    const items = writes.map((write) => transactionItemOf(this.#tableName, write));
    // The token makes a repeat of a request whose answer was lost return the first one's result (for ten minutes).
    const token = crypto.randomUUID();
    await this.#persist('transact', async () => {
      try {
        const answer = await this.#client.send(
          new TransactWriteCommand({ TransactItems: items, ClientRequestToken: token, ...this.#counting() }),
        );
        this.#count('TransactWriteItems', 'write', answer.ConsumedCapacity);
        committed = true;
        return true;
      } catch (error) {
        const reasons = cancellationReasons(error);
        if (!reasons) throw error;
        if (reasons.some((reason) => lost.has(reason))) return true;
        if (reasons.every((reason) => reason === 'None' || transientStatement.has(reason))) return false;
        throw error;
      }
    });
    return committed;
  }

  /** Runs `attempt` until it says it is done; waits between rounds, and gives up as unavailable after the last. */
  async #persist(operation: string, attempt: () => Promise<boolean>): Promise<void> {
    let cause: unknown;
    for (let round = 1; round <= rounds; round++) {
      try {
        if (await attempt()) return;
      } catch (error) {
        if (!isTransient(error)) throw error;
        cause = error;
      }
      if (round < rounds) await new Promise((resolve) => setTimeout(resolve, this.#backoff(round)));
    }
    throw new StoreUnavailable(`the table did not take the ${operation} after ${rounds} rounds`, { cause });
  }

  #counting(): { ReturnConsumedCapacity?: 'TOTAL' } {
    return this.#onConsumed ? { ReturnConsumedCapacity: 'TOTAL' } : {};
  }

  #count(operation: string, kind: 'read' | 'write', consumed: { CapacityUnits?: number | undefined }[] | undefined) {
    if (!this.#onConsumed) return;
    const units = (consumed ?? []).reduce((sum, each) => sum + (each.CapacityUnits ?? 0), 0);
    this.#onConsumed({
      operation,
      readUnits: kind === 'read' ? units : 0,
      writeUnits: kind === 'write' ? units : 0,
    });
  }
}

function outcomeOf(response: Pick<BatchStatementResponse, 'Error'> | undefined): 'written' | 'lost' | 'again' {
  const code = response?.Error?.Code;
  if (code === undefined) return 'written';
  if (lost.has(code)) return 'lost';
  if (transientStatement.has(code)) return 'again';
  throw new Error(`the table refused a write: ${code}`);
}

function cancellationReasons(error: unknown): string[] | undefined {
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') return undefined;
  const reasons = (error as Error & { CancellationReasons?: { Code?: string }[] }).CancellationReasons;
  return reasons?.map((reason) => reason.Code ?? 'None');
}

/** Network faults reach us as errors of the socket, with a `code` or as a time-out. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (transient.has(error.name) || error.name === 'TimeoutError') return true;
  if (((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0) >= 500) return true;
  const code = (error as Error & { code?: unknown }).code;
  return code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === 'EPIPE' || code === 'ETIMEDOUT';
}

const nameOf = (key: Key) => `${key.pk}\u0000${key.sk}`;

export function chunksOf<T>(values: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, n) => values.slice(n * size, (n + 1) * size));
}

async function inParallel<T>(values: readonly T[], work: (value: T) => Promise<void>): Promise<void> {
  const queue = values[Symbol.iterator]();
  const lane = async () => {
    for (const value of queue) await work(value);
  };
  await Promise.all(Array.from({ length: Math.min(parallel, values.length) }, lane));
}
