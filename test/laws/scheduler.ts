import type { Random } from './random.ts';

/** A call that a process waits for. */
export type Call = {
  /** The earliest time of the call, on the simulated clock. */
  readyAt: number;
  run: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

/** A process runs until it ends or is killed. It can be frozen for a time. */
export type Process = { readonly name: string; calls: Call[]; isFrozen: boolean };

/**
 * Runs processes one call at a time, in an order that the simulation chooses. The calls of a killed process never
 * settle. Between two calls a process must run only in microtasks, so that a schedule is exactly repeatable.
 */
export class Scheduler<P extends Process> {
  readonly processes: P[] = [];

  /** @param onError called with an error that the process throws */
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

  /** Processes with a call that can be made now. */
  runnable(now: number): P[] {
    return this.processes.filter(({ isFrozen, calls }) => !isFrozen && calls.some(({ readyAt }) => readyAt <= now));
  }

  /** The earliest time of the next call of a process that is not frozen. */
  nextCallAt(): number {
    const times = this.processes.flatMap(({ isFrozen, calls }) =>
      isFrozen ? [] : calls.map(({ readyAt }) => readyAt),
    );
    return Math.min(Number.POSITIVE_INFINITY, ...times);
  }

  /** Makes one of the calls of the process, and runs the process until its next call. */
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

/** Waits until no microtask is left. A tick requested in a microtask runs after all microtasks. */
const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
