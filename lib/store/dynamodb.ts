import {
  type BatchStatementRequest,
  type BatchStatementResponse,
  DynamoDBClient,
  type DynamoDBClientConfig,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import {
  BatchExecuteStatementCommand,
  BatchGetCommand,
  DynamoDBDocumentClient,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Database, Expectation, Item, Page, QueryInput, Upsert, Write } from './database.ts';
import { StoreUnavailable } from './database.ts';
import type { Key } from './keys.ts';
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
const lostStatement = new Set(['ConditionalCheckFailed', 'DuplicateItem']);
const lostTransaction = new Set(['ConditionalCheckFailed', 'DuplicateItem']);

/** What one request cost, as the engine counted it. */
export type Consumed = { operation: string; readUnits: number; writeUnits: number };

export type DynamoDatabaseOptions = {
  tableName: string;
  client?: DynamoDBClient;
  config?: DynamoDBClientConfig;
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
    const client = options.client ?? new DynamoDBClient(options.config ?? {});
    this.#client = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
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
        if (reasons.some((reason) => lostTransaction.has(reason))) return true;
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

function queryOf(tableName: string, input: QueryInput): QueryCommandInput {
  const index = input.index ? table.indexes[input.index] : undefined;
  const names: Record<string, string> = { '#pk': index?.partitionKey ?? table.partitionKey };
  const values: Record<string, unknown> = { ':pk': input.pk };
  const conditions = ['#pk = :pk'];
  const bound = sortCondition(input);
  if (bound) {
    names['#sk'] = index?.sortKey ?? table.sortKey;
    conditions.push(bound.expression);
    Object.assign(values, bound.values);
  }
  if (input.rowContains !== undefined) {
    names['#row'] = 'row';
    values[':row'] = input.rowContains;
  }
  return {
    TableName: tableName,
    KeyConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: names,
    // biome-ignore lint/suspicious/noExplicitAny: the document client widens this type to native values
    ExpressionAttributeValues: values as any,
    ...(index ? { IndexName: index.name } : { ConsistentRead: true }),
    ...(input.rowContains === undefined ? {} : { FilterExpression: 'contains(#row, :row)' }),
    ...(input.limit === undefined ? {} : { Limit: input.limit }),
    ...(input.descending ? { ScanIndexForward: false } : {}),
  };
}

/** A page may have ended at the upper bound itself, and DynamoDB refuses bounds that leave nothing between them. */
const isPastItsEnd = ({ after, to, descending }: QueryInput): boolean =>
  after !== undefined && to !== undefined && !descending && Buffer.compare(Buffer.from(after), Buffer.from(to)) >= 0;

/** DynamoDB takes one condition on the sort key, so `after` joins the other bounds here. */
function sortCondition(input: QueryInput): { expression: string; values: Record<string, string> } | undefined {
  const { from, to, prefix, after } = input;
  if (after !== undefined) {
    if (input.descending) return { expression: '#sk < :after', values: { ':after': after } };
    const top = to ?? (prefix === undefined ? undefined : `${prefix}\u{10ffff}`);
    // BETWEEN includes its ends: the smallest string after `after` is `after` with a NUL behind it.
    if (top !== undefined) {
      return { expression: '#sk BETWEEN :after AND :to', values: { ':after': `${after}\u0000`, ':to': top } };
    }
    return { expression: '#sk > :after', values: { ':after': after } };
  }
  if (prefix !== undefined) return { expression: 'begins_with(#sk, :prefix)', values: { ':prefix': prefix } };
  if (from !== undefined && to !== undefined) {
    return { expression: '#sk BETWEEN :from AND :to', values: { ':from': from, ':to': to } };
  }
  if (from !== undefined) return { expression: '#sk >= :from', values: { ':from': from } };
  if (to !== undefined) return { expression: '#sk <= :to', values: { ':to': to } };
  return undefined;
}

// The document client takes native values where the plain client's types say AttributeValue.
type Statement = Omit<BatchStatementRequest, 'Parameters'> & { Parameters: unknown[] };

/** One write as a PartiQL statement: a batch of these carries 25 independent conditional writes at single price. */
function statementOf(tableName: string, write: Upsert): Statement {
  if (write.kind === 'insert') {
    const entries = Object.entries(write.item).filter(([, value]) => value !== undefined);
    return {
      Statement: `INSERT INTO "${tableName}" VALUE {${entries.map(([name]) => `'${name}':?`).join(',')}}`,
      Parameters: entries.map(([, value]) => value),
    };
  }
  const { clauses, values } = expectationOf(write.expect);
  const where = [`"pk"=?`, `"sk"=?`, ...clauses].join(' AND ');
  const key = [write.key.pk, write.key.sk];
  const entries = Object.entries(write.set);
  const sets = entries.filter(([, value]) => value !== undefined);
  const removed = entries.filter(([, value]) => value === undefined);
  // PartiQL takes a clause for each attribute too, but the embedded engine knows only the list.
  const changes = [
    ...(sets.length > 0 ? [`SET ${sets.map(([name]) => `"${name}"=?`).join(', ')}`] : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.map(([name]) => `"${name}"`).join(', ')}`] : []),
  ];
  return {
    Statement: `UPDATE "${tableName}" ${changes.join(' ')} WHERE ${where}`,
    Parameters: [...sets.map(([, value]) => value), ...key, ...values],
  };
}

function expectationOf(expect: Expectation) {
  const entries = Object.entries(expect);
  return {
    clauses: entries.map(([name, value]) => (value === undefined ? `"${name}" IS MISSING` : `"${name}"=?`)),
    values: entries.filter(([, value]) => value !== undefined).map(([, value]) => value),
  };
}

type TransactionItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

function transactionItemOf(tableName: string, write: Write): TransactionItem {
  if (write.kind === 'insert') {
    return {
      Put: { TableName: tableName, Item: write.item, ConditionExpression: 'attribute_not_exists(pk)' },
    };
  }
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const conditions = ['attribute_exists(pk)'];
  for (const [position, [name, value]] of Object.entries(write.expect).entries()) {
    names[`#e${position}`] = name;
    if (value === undefined) conditions.push(`attribute_not_exists(#e${position})`);
    else {
      values[`:e${position}`] = value;
      conditions.push(`#e${position} = :e${position}`);
    }
  }
  const shared = {
    TableName: tableName,
    Key: write.key,
    ConditionExpression: conditions.join(' AND '),
  };
  if (write.kind === 'delete') return { Delete: { ...shared, ...nonEmpty(names, values) } };
  const sets: string[] = [];
  const removes: string[] = [];
  for (const [position, [name, value]] of Object.entries(write.set).entries()) {
    names[`#s${position}`] = name;
    if (value === undefined) removes.push(`#s${position}`);
    else {
      values[`:s${position}`] = value;
      sets.push(`#s${position} = :s${position}`);
    }
  }
  const expression = [
    ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
    ...(removes.length > 0 ? [`REMOVE ${removes.join(', ')}`] : []),
  ].join(' ');
  return { Update: { ...shared, UpdateExpression: expression, ...nonEmpty(names, values) } };
}

const nonEmpty = (names: Record<string, string>, values: Record<string, unknown>) => ({
  ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
  ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
});

function outcomeOf(response: Pick<BatchStatementResponse, 'Error'> | undefined): 'written' | 'lost' | 'again' {
  const code = response?.Error?.Code;
  if (code === undefined) return 'written';
  if (lostStatement.has(code)) return 'lost';
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
