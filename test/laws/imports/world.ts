import { Problem } from '../../../lib/domain/values/problem.ts';
import { type Database, StoreUnavailable, type Write } from '../../../lib/store/table/database.ts';
import type { Key } from '../../../lib/store/table/keys.ts';
import type { WakeQueue } from '../../../lib/store/waiting-work/wake-queue.ts';
import { serviceOn, type TestedService } from '../../support/operations/operations.ts';
import { Random } from '../random.ts';
import { type Process, Scheduler } from '../scheduler.ts';
import { TimedQueue, wakeQueueOf } from '../waiting-work/timed-queue.ts';
import { type Acceptance, History } from './history.ts';
import type { Post } from './requests.ts';
import { Faults, type Settings } from './settings.ts';
import { Store } from './store.ts';

export type ProcessKind = 'client' | 'worker' | 'sweeper' | 'operator' | 'administrator';

export type ImportProcess = Process & {
  kind: ProcessKind;
  teamId: string | undefined;
  /** The step at which it was started, and the time. */
  began: number;
  startedAt: number;
  failedCalls: number;
  /** For a client: its request, and the highest order number of the team with a response before it began. */
  post: Post | undefined;
  answeredBefore: number;
  /** Its commits. */
  accepted: Acceptance[];
  redriven: Set<Acceptance>;
};

export const teamIds = [1, 2, 3].map((n) => `8f3c1a52-7f0e-4b5d-9a63-2f6f0c1de00${n}`);
/** Milliseconds during which the SDK retries before an outage becomes an error. */
const patience = 8_000;

/** The clock, the table, the queue and the processes of one schedule. */
export class World {
  readonly random: Random;
  readonly faults: Faults;
  readonly scheduler = new Scheduler<ImportProcess>();
  readonly store: Store;
  readonly queue = new TimedQueue();
  readonly history: History;
  /** Violations of the guarantees. */
  readonly problems: string[] = [];
  /** The steps, if tracing is on. */
  readonly trace: string[] | undefined;
  readonly teamIds: readonly string[];
  clock = Date.parse('2026-01-01T00:00:00Z');
  steps = 0;
  #outage = { until: 0, writesOnly: false };
  #ids = 0;
  #started = 0;

  constructor(settings: Settings, database: Database, isTraced: boolean) {
    this.random = new Random(settings.seed);
    this.store = new Store(database);
    this.trace = isTraced ? [] : undefined;
    this.faults = new Faults(settings, (kind) => this.log(() => `*** ${kind}`));
    this.history = new History(this);
    this.teamIds = teamIds.slice(0, settings.teams);
  }

  log(text: () => string): void {
    if (!this.trace) return;
    const seconds = ((this.clock - Date.parse('2026-01-01T00:00:00Z')) / 1000).toFixed(3);
    let line = text();
    for (const [index, teamId] of teamIds.entries()) line = line.replaceAll(teamId, `team${index + 1}`);
    this.trace.push(`${String(this.steps).padStart(4)} ${seconds.padStart(8)}s  ${line}`);
  }

  violation(problem: string): void {
    this.log(() => `VIOLATION: ${problem}`);
    this.problems.push(problem);
  }

  start(
    kind: ProcessKind,
    { teamId, post }: { teamId?: string | undefined; post?: Post | undefined },
    run: (dependencies: TestedService, process: ImportProcess) => Promise<void>,
  ): void {
    const process: ImportProcess = {
      name: `${kind}${++this.#started}`,
      kind,
      teamId,
      post,
      calls: [],
      isFrozen: false,
      began: this.steps,
      startedAt: this.clock,
      failedCalls: 0,
      answeredBefore: teamId === undefined ? 0 : this.history.team(teamId).answered,
      accepted: [],
      redriven: new Set(),
    };
    this.log(() => `${process.name} starts ${teamId ?? ''}${post ? ` ${post.name}` : ''}`);
    this.scheduler.start(
      process,
      async () => {
        await run(this.#dependenciesOf(process), process);
        this.log(() => `${process.name} ends`);
      },
      (error) => {
        if (!(error instanceof Problem)) {
          this.violation(`${kind} threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        } else this.log(() => `${process.name} ends: ${error.message}`);
      },
    );
  }

  kill(process: ImportProcess): void {
    this.log(() => `${process.name} is killed`);
    this.scheduler.kill(process);
    if (process.kind === 'worker') this.history.team(process.teamId!).deaths += 1;
  }

  beginOutage(writesOnly: boolean, milliseconds: number): void {
    this.#outage = { until: this.clock + milliseconds, writesOnly };
  }

  endOutage(): void {
    this.#outage = { until: 0, writesOnly: false };
  }

  get outageEndsAt(): number {
    return this.#outage.until;
  }

  /** A call of something other than the store, which only waits for its turn. */
  turn<T>(process: ImportProcess, run: () => T, milliseconds = 1 + this.random.below(8)): Promise<T> {
    return this.scheduler.call(process, this.clock + milliseconds, run);
  }

  #dependenciesOf(process: ImportProcess): TestedService {
    const database = this.#databaseOf(process);
    return serviceOn(database, {
      queue: this.#queueOf(process),
      now: () => this.clock,
      newId: () => `00000000-0000-4000-8000-${String(this.#ids++).padStart(12, '0')}`,
      pause: (round) => this.turn(process, () => undefined, 1 + this.random.below(20 * round)),
      onErased: async () => undefined,
    });
  }

  /** The table for one process: every call waits for its turn, may be rejected, or may lose its response. */
  #databaseOf(process: ImportProcess): Database {
    const { store, faults, random } = this;
    return {
      get: async (keys) => {
        if (keys.length === 0) return [];
        const cut = keys.length > 1 && faults.happens('call split') ? 1 + random.below(keys.length - 1) : keys.length;
        const read = (part: readonly Key[]) =>
          this.#reach(
            process,
            'read',
            () => part.map(keyText).join(),
            () => store.database.get(part),
          );
        const first = await read(keys.slice(0, cut));
        return cut === keys.length ? first : [...first, ...(await read(keys.slice(cut)))];
      },
      query: (input) =>
        this.#reach(
          process,
          'read',
          () => `query ${input.pk}`,
          () => store.database.query(input),
        ),
      write: async (writes) => {
        if (writes.length === 0) return [];
        const cut =
          writes.length > 1 && faults.happens('call split') ? 1 + random.below(writes.length - 1) : writes.length;
        const write = (part: typeof writes) =>
          this.#reach(
            process,
            'write',
            () => part.map(writeText).join(),
            async () => {
              const isThrottled = part.length > 1 && faults.happens('statements throttled');
              const taken = isThrottled ? part.filter(() => random.chance(0.5)) : part;
              const written = await store.write(taken);
              this.history.wrote(taken.filter((_, index) => written[index]));
              if (isThrottled) throw new StoreUnavailable('statements were throttled');
              return written;
            },
          );
        const first = await write(writes.slice(0, cut));
        return cut === writes.length ? first : [...first, ...(await write(writes.slice(cut)))];
      },
      transact: async (writes) => {
        const torn = writes.length > 1 && faults.happens('transaction torn') ? random : undefined;
        const begun = await this.#reach(
          process,
          'write',
          () => `transaction ${writes.map(writeText).join()}`,
          () =>
            store.transact(
              writes,
              torn,
              () => this.history.committed(process, writes),
              () => this.history.visible(writes),
            ),
        );
        if (!begun) return false;
        if (begun.parts.length > 0) {
          await this.turn(process, () => store.end(begun), 1 + random.below(100));
        }
        return true;
      },
    };
  }

  async #reach<T>(
    process: ImportProcess,
    kind: 'read' | 'write',
    describe: () => string,
    run: () => Promise<T>,
  ): Promise<T> {
    const attempt = async () => {
      this.log(() => `${process.name} ${kind}s ${describe()}`);
      const isOut = this.clock < this.#outage.until && (kind === 'write' || !this.#outage.writesOnly);
      if (isOut) return outage;
      if (this.faults.happens('call refused')) throw new StoreUnavailable('refused');
      const value = await run();
      if (kind === 'read' || !this.faults.happens('response lost')) return { value };
      if (process.kind === 'worker') this.history.team(process.teamId!).deaths += 1;
      throw new StoreUnavailable('the response was lost');
    };
    try {
      const result = await this.turn(process, attempt);
      if (result !== outage) return result.value;
      await this.turn(process, () => undefined, patience);
      throw new StoreUnavailable('the store is out');
    } catch (error) {
      // An attempt counts if the correction of its count failed.
      if (++process.failedCalls > 1 && process.kind === 'worker') this.history.team(process.teamId!).deaths += 1;
      throw error;
    }
  }

  #queueOf(process: ImportProcess): WakeQueue {
    const { queue, faults, random } = this;
    return wakeQueueOf({
      ...{ queue, random, clock: () => this.clock, happens: (kind) => faults.happens(kind) },
      log: (text) => this.log(() => `${process.name} ${text()}`),
      turn: (run, milliseconds) => this.turn(process, run, milliseconds),
    });
  }
}

const outage = Symbol('outage');
const keyText = ({ pk, sk }: Key) => `${pk}/${sk}`;
const writeText = (write: Write) => `${write.kind} ${keyText(write.kind === 'insert' ? write.item : write.key)}`;
