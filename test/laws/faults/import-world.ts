import { readBatch } from '../../../lib/operations/imports/status.ts';
import { loadAccounts } from '../../../lib/store/accounts/accounts.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { ModelQueue } from '../../support/models/model-queue.ts';
import { postBatch, workAll } from '../../support/operations/import-operations.ts';
import { serviceOn, type TestedService } from '../../support/operations/operations.ts';

export const seconds = 1000;
export const minute = 60 * seconds;

/** The process stops here: nothing after this point happens. */
export class Crash extends Error {}

type Fields = Record<string, unknown>;
export const record = (account_number: string, fields: Fields = {}) => ({
  account_number,
  contact: { unique_id: `owner of ${account_number}` },
  product: { code: 'CHK', type: 'checking' },
  ...fields,
});

/** A team with its own table, the model of the engine, and a clock that only the test changes. */
export class ImportWorld {
  readonly database: Database = new ModelDatabase();
  readonly queue = new ModelQueue();
  readonly teamId = crypto.randomUUID();
  clock = Date.parse('2026-03-01T02:00:00Z');

  dependencies(changes: Partial<TestedService> = {}): TestedService {
    const { database = this.database, ...others } = changes;
    return serviceOn(database, {
      queue: this.queue,
      now: () => this.clock++,
      pause: async () => {
        this.clock += 200;
      },
      ...others,
    });
  }

  /** Posts a chunk of the batch `nightly`. */
  accept(chunk_index: number, records: readonly object[], using = this.dependencies()) {
    return postBatch(using, this.teamId, { batch_id: 'nightly', chunk_index, records });
  }

  /** Applies all open chunks. */
  work(using = this.dependencies()) {
    return workAll(using, this.teamId);
  }

  /** Processes the wakes in the queue. @returns their number */
  async drain(): Promise<number> {
    let wakes = 0;
    for (let message = this.queue.receive(); message; message = this.queue.receive()) {
      await workAll(this.dependencies(), message.lane.team_id);
      this.queue.delete(message.receipt);
      wakes++;
    }
    return wakes;
  }

  status() {
    return readBatch({ database: this.database }, this.teamId, 'nightly');
  }

  async nicknames(...numbers: string[]) {
    return (await loadAccounts(this.database, this.teamId, numbers)).map((account) => account?.fields.nickname);
  }
}

/** A queue that fails `count` sends, beginning with send number `first`. */
export function failingSends(queue: ModelQueue, first = 1, count = Number.POSITIVE_INFINITY) {
  let sends = 0;
  return {
    wake: async (...message: Parameters<ModelQueue['wake']>) => {
      sends++;
      if (sends >= first && sends < first + count) throw new Error('the queue is unavailable');
      await queue.wake(...message);
    },
    postpone: (receipt: string) => queue.postpone(receipt),
    sends: () => sends,
  };
}

export const moments = ['before', 'half-way', 'after'] as const;
export type Moment = (typeof moments)[number];

/**
 * A database whose caller stops at its `n`th call: before it, after it, or, if it makes several writes, in the middle.
 * @returns whether it has stopped
 */
export function dying(database: Database, n: number, when: Moment): { database: Database; hasDied: () => boolean } {
  let calls = 0;
  const guard =
    <In extends unknown[], Out>(call: (...input: In) => Promise<Out>) =>
    async (...input: In): Promise<Out> => {
      const position = ++calls;
      if (position > n || (position === n && when === 'before')) throw new Crash();
      const answer = await call(...input);
      if (position === n) throw new Crash();
      return answer;
    };
  const isLast = () => calls === n;
  return {
    database: {
      get: guard((keys) => database.get(keys)),
      query: guard((input) => database.query(input)),
      write: guard((writes) =>
        database.write(when === 'half-way' && isLast() ? writes.slice(0, writes.length / 2) : writes),
      ),
      transact: guard((writes) => database.transact(writes)),
    },
    hasDied: () => calls >= n,
  };
}

/** A database that once runs something else first, at the `n`th call of the method that `matches`. */
export function interrupted<Method extends keyof Database>(
  database: Database,
  method: Method,
  by: () => Promise<unknown>,
  matches: (input: Parameters<Database[Method]>[0]) => boolean = () => true,
): Database {
  let done = false;
  const call = (name: keyof Database) => async (input: never) => {
    if (name === method && !done && matches(input)) {
      done = true;
      await by();
    }
    return database[name](input) as never;
  };
  return { get: call('get'), query: call('query'), write: call('write'), transact: call('transact') };
}
