import {
  BatchExecuteStatementCommand,
  BatchGetCommand,
  type DynamoDBDocumentClient,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import {
  chunksOf,
  type Database,
  type Item,
  type Page,
  type QueryInput,
  type ReadOptions,
  type Upsert,
  type Write,
} from './database.ts';
import {
  cancellationReasons,
  IncompleteResponse,
  isConflict,
  isLost,
  isTransientCode,
  LeftUndone,
  WriteRefused,
} from './errors.ts';
import type { Key } from './keys.ts';
import { isPastItsEnd, keyOf, needsUpdateItem, queryOf, statementOf, transactionItemOf, updateOf } from './requests.ts';
import { type Backoff, Retries, type RetryLimits } from './retrying.ts';
import { table } from './table.ts';
import { together } from './together.ts';

/** Limits of DynamoDB: 100 keys in a BatchGetItem, 25 statements in a BatchExecuteStatement. */
const keysPerRead = 100;
const statementsPerWrite = 25;
/** Parallel requests of one call. */
const parallel = 8;
/** The capacity units that one request consumed, as DynamoDB reports them. */
export type Consumed = { operation: string; readUnits: number; writeUnits: number };

export type DynamoDatabaseOptions = {
  tableName: string;
  client: DynamoDBDocumentClient;
  /** Called after every round trip with its cost. Requesting the cost makes each response slightly larger. */
  onConsumed?: (consumed: Consumed) => void;
  /** Milliseconds to wait after round `n` (from 1) of a call, before the next round. */
  backoff?: Backoff;
  /** By default those of a function. */
  retryLimits?: RetryLimits;
};

export class DynamoDatabase implements Database {
  readonly #client: DynamoDBDocumentClient;
  readonly #tableName: string;
  readonly #onConsumed: DynamoDatabaseOptions['onConsumed'];
  readonly #retries: Retries;

  constructor(options: DynamoDatabaseOptions) {
    this.#client = options.client;
    this.#tableName = options.tableName;
    this.#onConsumed = options.onConsumed;
    this.#retries = new Retries(options.backoff, options.retryLimits);
  }

  async get(keys: readonly Key[], { eventually = false }: ReadOptions = {}): Promise<(Item | undefined)[]> {
    const withRetries = this.#retrying('get');
    const distinct = new Map(keys.map((key) => [nameOf(key), keyOf(key)]));
    const found = new Map<string, Item>();
    await together(chunksOf([...distinct.values()], keysPerRead), parallel, async (chunk) => {
      let pending: Record<string, unknown>[] = chunk;
      await withRetries(async () => {
        const request = { [this.#tableName]: { Keys: pending, ConsistentRead: !eventually } };
        const response = await this.#client.send(new BatchGetCommand({ RequestItems: request, ...this.#counting() }));
        this.#count('BatchGetItem', 'read', response.ConsumedCapacity);
        if (!response.Responses) throw new IncompleteResponse();
        for (const item of itemsOf(response.Responses[this.#tableName] ?? [])) found.set(nameOf(item), item);
        pending = response.UnprocessedKeys?.[this.#tableName]?.Keys ?? [];
        if (pending.length > 0) throw new LeftUndone('UnprocessedKeys');
      });
    });
    return keys.map((key) => found.get(nameOf(key)));
  }

  async query(input: QueryInput): Promise<Page> {
    if (isPastItsEnd(input)) return { items: [] };
    const request = { ...queryOf(this.#tableName, input), ...this.#counting(input.index === 'directory') };
    return this.#retrying('query')(async () => {
      const response = await this.#client.send(new QueryCommand(request));
      this.#count('Query', 'read', response.ConsumedCapacity ? [response.ConsumedCapacity] : undefined);
      const sortKey = input.index ? table.indexes[input.index].sortKey : table.sortKey;
      const next = response.LastEvaluatedKey?.[sortKey];
      if (!response.Items) throw new IncompleteResponse();
      const readUnits = response.ConsumedCapacity?.CapacityUnits;
      return {
        items: itemsOf(response.Items),
        ...(next === undefined ? {} : { next }),
        ...(readUnits === undefined ? {} : { readUnits }),
      };
    });
  }

  async write(writes: readonly Upsert[], { onResend }: { onResend?(): void } = {}): Promise<boolean[]> {
    const withRetries = this.#retrying('write');
    const written: boolean[] = [];
    const indexes = writes.map((_, index) => index);
    const isSingle = (index: number) => needsUpdateItem(writes[index]!);
    const batches = chunksOf(
      indexes.filter((index) => !isSingle(index)),
      statementsPerWrite,
    );
    await together([...batches, ...indexes.filter(isSingle).map((index) => [index])], parallel, async (group) => {
      let pending = group;
      let isSent = false;
      await withRetries(async () => {
        if (isSent) onResend?.();
        isSent = true;
        const outcomes = await this.#send(pending.map((index) => writes[index]!));
        for (const [position, index] of pending.entries()) written[index] = outcomes[position] === 'written';
        const again = outcomes.find((outcome) => typeof outcome === 'object');
        pending = pending.filter((_, position) => typeof outcomes[position] === 'object');
        if (again) throw new LeftUndone(again.code);
      });
    });
    return written;
  }

  async #send(writes: readonly Upsert[]): Promise<Outcome[]> {
    const [first] = writes;
    if (first && needsUpdateItem(first)) return [await this.#update(updateOf(this.#tableName, first))];
    const statements = writes.map((write) => statementOf(this.#tableName, write));
    const response = await this.#client.send(
      new BatchExecuteStatementCommand({ Statements: statements, ...this.#counting() }),
    );
    this.#count('BatchExecuteStatement', 'write', response.ConsumedCapacity);
    if (response.Responses?.length !== statements.length) throw new IncompleteResponse();
    return response.Responses.map(outcomeOf);
  }

  async #update(update: UpdateCommandInput): Promise<Outcome> {
    try {
      const response = await this.#client.send(new UpdateCommand({ ...update, ...this.#counting() }));
      this.#count('UpdateItem', 'write', response.ConsumedCapacity ? [response.ConsumedCapacity] : undefined);
      return 'written';
    } catch (error) {
      if (error instanceof Error && isLost(error.name)) return 'lost';
      throw error;
    }
  }

  async transact(writes: readonly Write[], { losesConflicts = false } = {}): Promise<boolean> {
    let committed = false;
    /** True after a round whose outcome is not known. */
    let isUnknown = false;
    const items = writes.map((write) => transactionItemOf(this.#tableName, write));
    // With this token, a repeated request returns the result of the first one (for ten minutes) if its response was
    // lost.
    const token = crypto.randomUUID();
    const request = { TransactItems: items, ClientRequestToken: token, ...this.#counting() };
    await this.#retrying('transact')(async () => {
      try {
        const response = await this.#client.send(new TransactWriteCommand(request));
        this.#count('TransactWriteItems', 'write', response.ConsumedCapacity);
        committed = true;
      } catch (error) {
        const reasons = cancellationReasons(error);
        isUnknown ||= !reasons;
        if (!reasons) throw error;
        if (reasons.some(isLost)) return;
        if (losesConflicts && !isUnknown && reasons.some(isConflict)) return;
        const refused = reasons.find((reason) => reason !== 'None' && !isTransientCode(reason));
        if (refused !== undefined) throw new WriteRefused(refused, { cause: error });
        throw new LeftUndone(reasons.find(isTransientCode) ?? 'None');
      }
    });
    return committed;
  }

  #retrying(operation: string) {
    return this.#retries.of(`${operation} on the table`);
  }

  #counting(isNeeded = false): { ReturnConsumedCapacity?: 'TOTAL' } {
    return this.#onConsumed || isNeeded ? { ReturnConsumedCapacity: 'TOTAL' } : {};
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

/** The items of a response. @throws IncompleteResponse if an item has no key. */
function itemsOf(items: Record<string, unknown>[]): Item[] {
  if (!items.every(isKeyed)) throw new IncompleteResponse();
  return items;
}

const isKeyed = (item: Record<string, unknown>): item is Item =>
  typeof item.pk === 'string' && typeof item.sk === 'string';

/**
 * The outcome of one write: done, lost because its condition failed, or to be sent again because of this error code.
 */
type Outcome = 'written' | 'lost' | { code: string };

function outcomeOf({ Error: failed }: { Error?: { Code?: string | undefined } | undefined }): Outcome {
  const code = failed?.Code;
  if (code === undefined) return 'written';
  if (isLost(code)) return 'lost';
  if (isTransientCode(code)) return { code };
  throw new WriteRefused(code);
}

const nameOf = (key: Key) => `${key.pk}\u0000${key.sk}`;
