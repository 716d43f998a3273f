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

export type Actor = { name: string; resume: () => void; stopped: () => void };

/**
 * Runs actors one step at a time: an actor stops before each touch of the outside world until its turn comes. An actor
 * that is killed simply never goes on, as a process that died.
 */
export class Scheduler {
  readonly actors: Actor[] = [];
  /** What actors threw. */
  readonly failures: unknown[] = [];
  #current: Actor | undefined;

  start(name: string, run: () => Promise<void>): void {
    const actor: Actor = { name, resume: () => {}, stopped: () => {} };
    const begun = new Promise<void>((resolve) => {
      actor.resume = resolve;
    });
    this.actors.push(actor);
    void begun
      .then(run)
      .catch((error) => this.failures.push(error))
      .finally(() => {
        this.kill(actor);
        actor.stopped();
      });
  }

  /** Called by the actor at work, which does one thing at a time. */
  async turn(): Promise<void> {
    const actor = this.#current;
    if (!actor) throw new Error('nobody is at work');
    await new Promise<void>((resolve) => {
      actor.resume = resolve;
      actor.stopped();
    });
  }

  /** Lets the actor run to its next stop. */
  async step(actor: Actor): Promise<void> {
    const stopped = new Promise<void>((resolve) => {
      actor.stopped = resolve;
    });
    this.#current = actor;
    actor.resume();
    await stopped;
  }

  kill(actor: Actor): void {
    const place = this.actors.indexOf(actor);
    if (place >= 0) this.actors.splice(place, 1);
  }
}
