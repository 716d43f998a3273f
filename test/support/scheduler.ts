/** Random numbers that a seed repeats (mulberry32). */
export function randomOf(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    below: (limit: number) => Math.floor(next() * limit),
    chance: (probability: number) => next() < probability,
    pick: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!,
  };
}
export type Random = ReturnType<typeof randomOf>;

/** What a process has asked of the outside world, and waits for. */
export type Call = {
  /** On the simulated clock: not before. */
  readyAt: number;
  run: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

/** Something that runs until it ends, is killed, or is frozen for a while. */
export type Process = { readonly name: string; calls: Call[]; isFrozen: boolean };

/**
 * Runs processes one call at a time, in an order that the simulation chooses. A process that is killed simply never
 * hears of its calls again. All that a process does between two calls must be done by microtasks alone: then a schedule
 * repeats exactly.
 */
export class Scheduler<P extends Process> {
  readonly processes: P[] = [];

  /** @param onError told of what the process throws */
  start(process: P, run: () => Promise<void>, onError: (error: unknown) => void): void {
    this.processes.push(process);
    void this.call(process, 0, () => undefined)
      .then(run)
      .catch(onError)
      .finally(() => this.kill(process));
  }

  call<T>(process: P, readyAt: number, run: () => T | Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      process.calls.push({ readyAt, run, resolve: resolve as Call['resolve'], reject });
    });
  }

  /** Processes that have a call which can be made now. */
  runnable(now: number): P[] {
    return this.processes.filter(({ isFrozen, calls }) => !isFrozen && calls.some(({ readyAt }) => readyAt <= now));
  }

  /** When the next call of a process that is not frozen can be made. */
  nextCallAt(): number {
    const times = this.processes.flatMap(({ isFrozen, calls }) =>
      isFrozen ? [] : calls.map(({ readyAt }) => readyAt),
    );
    return Math.min(Number.POSITIVE_INFINITY, ...times);
  }

  /** Makes one of the calls that the process waits for, and lets the process go on to its next. */
  async step(process: P, now: number, random: Random): Promise<void> {
    const call = random.pick(process.calls.filter(({ readyAt }) => readyAt <= now));
    process.calls.splice(process.calls.indexOf(call), 1);
    try {
      const value = call.run();
      call.resolve(value instanceof Promise ? await value : value);
    } catch (error) {
      call.reject(error);
    }
    await settled();
  }

  kill(process: P): void {
    const place = this.processes.indexOf(process);
    if (place >= 0) this.processes.splice(place, 1);
  }
}

/** Once no microtask is left: asked for within one, the next tick comes when all of them are done. */
const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
