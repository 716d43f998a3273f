import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Problem } from '../../../lib/domain/values/problem.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { runs as shortened } from '../../support/long-form.ts';
import { ModelDatabase } from '../../support/models/model-database.ts';
import { serviceOn, type TestedService } from '../../support/operations/operations.ts';
import { type Entry, type Model, unexplained } from './linearize.ts';
import { type Fault, faults, Process, Session } from './session.ts';

/** What a call of the service gets: the table with its faults, and a clock and ids that are the same in every replay. */
export type Dependencies = TestedService;

export type Failed = { error: string };

export type Subject<Call, Result> = {
  /** Without it, the calls are requests to a service in another process: they run at the same time, unscheduled. */
  database?: Database;
  /** Sends one call. A `Problem` becomes its code. */
  send(call: Call, dependencies: Dependencies, session: Session): Promise<Result>;
};

export type ModelTest<State, Call extends object, Result, Part = Result> = {
  model: Model<State, Call, Part | Failed>;
  calls: fc.Arbitrary<Call>;
  open(): Promise<Subject<Call, Result>>;
  /** Calls that are sent at the end, one after another, without faults. */
  last: readonly Call[];
  /** What the call reads or writes. Calls of different objects are independent, so each object has an order of its own. */
  objectOf?(call: Call): string;
  /** A call that affects several independent keys, as one call for each of them. */
  parts?(call: Call, result: Result | Failed | undefined): [Call, Part | Failed | undefined][];
  /** For a call that may take effect twice if the table's client sends a write again: the call of that second time. */
  repeated?(call: Call, result: Result | Failed): Call | undefined;
  /** For a call whose work can go on without it: if no response came, it can take effect after its end. */
  takesEffectLater?(call: Call): boolean;
  runs: number;
  maxCalls?: number;
};

/** `MODEL_RUNS` is the number of runs; `MODEL_REPLAY` is what a failure printed. */
const { MODEL_RUNS: moreRuns, MODEL_REPLAY: replay } = process.env;
const { replayPath, ...replayed }: { seed?: number; path?: string; replayPath?: string } = JSON.parse(replay ?? '{}');

/** The time-out of a test of a model. */
const maxMilliseconds = 600_000;

const callers = ['Anna', 'Ben', 'Carl'] as const;

/** One call of a caller. The caller sends it after its earlier calls have ended, and again if no response comes. */
class Command<Call> implements fc.AsyncCommand<object, Sender<Call>> {
  readonly caller: string;
  readonly call: Call;
  readonly fault: Fault | undefined;

  constructor(caller: string, call: Call, fault: Fault | undefined) {
    this.caller = caller;
    this.call = call;
    this.fault = fault;
  }

  check(): boolean {
    return true;
  }

  async run(_: object, sender: Sender<Call>): Promise<void> {
    sender.add(this);
  }

  toString(): string {
    return `${this.caller} ${JSON.stringify(this.call)}${this.fault ? ` (${this.fault.kind} ${this.fault.at})` : ''}`;
  }
}

/** Attempts of one call. Only the first has a fault. */
const maxAttempts = 5;
const noDatabase = new ModelDatabase();

/** The calls of one run, and the history that they leave. */
class Sender<Call> {
  readonly history: Entry<Call, unknown>[] = [];
  readonly #queues = new Map<string, Promise<void>>();
  readonly #session: Session;
  readonly #subject: Subject<Call, unknown>;
  readonly #repeated: (call: Call, result: unknown) => Call | undefined;
  readonly #takesEffectLater: (call: Call) => boolean;
  #time = 0;
  #ids = 0;

  constructor(
    session: Session,
    subject: Subject<Call, unknown>,
    effects: { repeated(call: Call, result: unknown): Call | undefined; takesEffectLater(call: Call): boolean },
  ) {
    this.#session = session;
    this.#subject = subject;
    this.#repeated = effects.repeated;
    this.#takesEffectLater = effects.takesEffectLater;
  }

  add(command: Pick<Command<Call>, 'caller' | 'call' | 'fault'>): void {
    const before = this.#queues.get(command.caller) ?? Promise.resolve();
    this.#queues.set(
      command.caller,
      before.then(() => this.#sendUntilAnswered(command)),
    );
  }

  async ended(): Promise<void> {
    await Promise.all(this.#queues.values());
  }

  async #sendUntilAnswered({ caller, call, fault }: Pick<Command<Call>, 'caller' | 'call' | 'fault'>): Promise<void> {
    let left = fault;
    for (let attempt = 1; ; attempt++, left = undefined) {
      if (attempt > maxAttempts)
        throw new Error(`${JSON.stringify(call)} stays unavailable, although the faults ended`);
      const process = new Process(caller, left);
      await this.#session.turn(process, 'begins');
      const entry: Entry<Call, unknown> = { caller, call, start: this.#time++, end: Infinity };
      const result = await this.#send(call, process).finally(() => process.end());
      entry.end = this.#time++;
      this.history.push(entry);
      const isLost = left?.kind === 'response lost' || (result as Failed).error === 'unavailable';
      if (!isLost) entry.result = result;
      else if (this.#takesEffectLater(call)) entry.end = Infinity;
      const again = process.hasResent ? this.#repeated(call, result) : undefined;
      if (again) this.history.push({ caller, call: again, start: entry.start, end: entry.end });
      if (!isLost) return;
    }
  }

  async #send(call: Call, process: Process): Promise<unknown> {
    const session = this.#session;
    const { database = noDatabase } = this.#subject;
    const dependencies = serviceOn(session.databaseOf(process, database), {
      now: () => session.clock++,
      newId: () => `00000000-0000-4000-8000-${String(this.#ids++).padStart(12, '0')}`,
      pause: () => session.turn(process, 'pauses'),
    });
    try {
      return await this.#subject.send(call, dependencies, session);
    } catch (error) {
      if (error instanceof Problem) return { error: error.code };
      throw error;
    }
  }
}

/** A call that is one part. */
const whole = <Call, Result, Part>(call: Call, result: Result): [Call, Part][] => [[call, result as unknown as Part]];

/**
 * Sends random calls of concurrent callers, in a random interleaving of their calls of the table, some of which lose
 * their response, and searches for an order of the calls in which the model gives the same results.
 */
export const testModel = <State, Call extends object, Result, Part = Result>(
  name: string,
  file: string,
  of: ModelTest<State, Call, Result, Part>,
): void => test(name, () => checkModel(file, of), maxMilliseconds);

async function checkModel<State, Call extends object, Result, Part = Result>(
  file: string,
  {
    model,
    calls,
    open,
    last,
    objectOf = () => '',
    parts = whole,
    repeated = () => undefined,
    takesEffectLater = () => false,
    ...limits
  }: ModelTest<State, Call, Result, Part>,
): Promise<void> {
  const { runs, maxCalls = 9 } = limits;
  const command = fc
    .tuple(fc.constantFrom(...callers), calls, fc.option(faults, { nil: undefined, freq: 3 }))
    .map(([caller, call, fault]) => new Command(caller, call, fault));
  const commands = fc.commands([command], { maxCommands: maxCalls, ...(replayPath ? { replayPath } : {}) });
  const property = fc.asyncProperty(fc.scheduler(), commands, async (scheduler, sent) => {
    const subject = await open();
    const session = new Session(scheduler, subject.database === undefined);
    const sender = new Sender<Call>(session, subject, { repeated, takesEffectLater });
    await fc.scheduledModelRun(scheduler, () => ({ model: {}, real: sender }), sent);
    await scheduler.waitFor(sender.ended());
    for (const call of last) sender.add({ caller: 'the end', call, fault: undefined });
    await scheduler.waitFor(sender.ended());
    const history = sender.history.flatMap(({ call, result, ...entry }) =>
      parts(call, result as Result | undefined).map(([each, own]): Entry<Call, Part | Failed> => {
        return { ...entry, call: each, ...(own === undefined ? {} : { result: own }) };
      }),
    );
    for (const entries of Map.groupBy(history, ({ call }) => objectOf(call)).values()) {
      const longest = unexplained(model, entries);
      if (longest) throw new Error(`No order of these calls explains their results:\n${textOf(entries, longest)}`);
    }
  });
  // Under load there are fewer runs, and a failure is shortened less.
  const interruptAfterTimeLimit = moreRuns ? maxMilliseconds - 60_000 : 60_000;
  const details = await fc.check(property, {
    numRuns: Number(moreRuns ?? shortened(runs)),
    interruptAfterTimeLimit,
    ...replayed,
  });
  if (!details.failed) return;
  const { seed, counterexamplePath: path, counterexample } = details;
  const [, found] = /replayPath="([^"]*)"/.exec(String(counterexample?.[1])) ?? [];
  const again = JSON.stringify({ seed, path, replayPath: found });
  const cause = details.errorInstance instanceof Error ? details.errorInstance.stack : String(details.errorInstance);
  expect.fail(
    `${cause}\n\n${counterexample?.[1]}\n\nAgain: MODEL_REPLAY='${again}' npx vitest run test/laws/models/${file}`,
  );
}

function textOf(history: readonly Entry<unknown, unknown>[], longest: readonly unknown[]): string {
  const lines = history
    .toSorted((a, b) => a.start - b.start)
    .map((entry) => {
      const { caller, call, start, end, result } = entry;
      const position = longest.indexOf(entry);
      const place = position < 0 ? '  ' : String(position + 1).padStart(2);
      return `${place}  [${start}, ${end}] ${caller} ${JSON.stringify(call)} -> ${JSON.stringify(result) ?? 'no response'}`;
    });
  return `${lines.join('\n')}\n(The numbers are the longest order that explains a part.)`;
}
