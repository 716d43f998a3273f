import fc from 'fast-check';
import { type Database, StoreUnavailable } from '../../../lib/store/table/database.ts';

/** What happens to the `at`th write of a call, or to its response. */
export type Fault = { kind: (typeof kinds)[number]; at: number };

const kinds = [
  /** The table does not get the write. */
  'write refused',
  /** The table gets the write, and the caller does not learn it. */
  'write lost',
  /** The same, and the table's client sends the write again. */
  'write resent',
  /** The service has ended the call, and the caller does not learn it. */
  'response lost',
] as const;

export const faults: fc.Arbitrary<Fault> = fc.record({
  kind: fc.constantFrom(...kinds),
  at: fc.integer({ min: 1, max: 3 }),
});

/** One attempt of a call. Between two turns it runs alone. */
export class Process {
  readonly name: string;
  readonly fault: Fault | undefined;
  hasResent = false;
  waiting = 0;
  hasEnded = false;
  #writes = 0;

  constructor(name: string, fault: Fault | undefined) {
    this.name = name;
    this.fault = fault;
  }

  end(): void {
    this.hasEnded = true;
  }

  /** The fault of the next write. */
  nextFault(): Fault['kind'] | undefined {
    this.#writes += 1;
    return this.fault?.at === this.#writes ? this.fault.kind : undefined;
  }
}

/** The clock of one run, and the scheduler that decides which process goes on. */
export class Session {
  clock = Date.parse('2026-03-01T12:00:00Z');
  readonly #scheduler: fc.Scheduler;
  readonly #isRemote: boolean;

  /** @param isRemote the calls run in another process, several at a time */
  constructor(scheduler: fc.Scheduler, isRemote: boolean) {
    this.#scheduler = scheduler;
    this.#isRemote = isRemote;
  }

  /** Waits for a turn. The turn ends when the process waits for its next turn or has ended. */
  async turn(process: Process, label: string): Promise<void> {
    process.waiting += 1;
    const act = async (release: () => Promise<void>) => {
      process.waiting -= 1;
      await release();
      // Compression and signatures take longer than microtasks. The limit is for a process that waits for another one.
      const limit = performance.now() + 50;
      while (!this.#isRemote && process.waiting === 0 && !process.hasEnded && performance.now() < limit) {
        await new Promise(setImmediate);
      }
    };
    await this.#scheduler.schedule(Promise.resolve(), `${process.name} ${label}`, undefined, act);
  }

  databaseOf(process: Process, database: Database): Database {
    const writing = async <T>(label: string, run: () => Promise<T>, resend: (first: T) => Promise<T>): Promise<T> => {
      const fault = process.nextFault();
      await this.turn(process, label);
      if (fault === 'write refused') throw new StoreUnavailable('refused');
      const first = await run();
      if (fault === 'write lost') throw new StoreUnavailable('the response was lost');
      if (fault !== 'write resent') return first;
      process.hasResent = true;
      await this.turn(process, `${label} again`);
      return resend(first);
    };
    return {
      get: async (keys) => {
        if (keys.length > 0) await this.turn(process, 'reads');
        return database.get(keys);
      },
      query: async (input) => {
        await this.turn(process, 'queries');
        return database.query(input);
      },
      write: async (writes, options) => {
        if (writes.length === 0) return [];
        const run = () => database.write(writes);
        const again = () => {
          options?.onResend?.();
          return run();
        };
        return writing('writes', run, again);
      },
      // The token of a transaction makes the table repeat its first response.
      transact: (writes) =>
        writing(
          'transacts',
          () => database.transact(writes),
          async (first) => first,
        ),
    };
  }
}
