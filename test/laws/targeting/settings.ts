import { queueFaults } from '../waiting-work/timed-queue.ts';
import { scheduleOf } from '../weather.ts';

/** Faults, with their probability by step or by call when they are frequent. */
const usual = {
  /** By step: */
  crash: 0.012,
  'process slow': 0.03,
  stall: 0.004,
  'restart with empty queues': 0.003,
  'store outage': 0.003,
  'message lost': 0.006,
  'message doubled': 0.006,
  'two sweeps': 0.004,
  /** By call of the store: */
  'call refused': 0.02,
  'response lost': 0.02,
  'transaction torn': 0.2,
  ...queueFaults,
  /** By invocation of the publisher: a second one begins before the first has ended; it has no time to settle; it gets the records again. */
  'publisher overtaken': 0.1,
  'marks together': 0.5,
  'no time to settle': 0.4,
  'records repeated': 0.1,
  /** By turn of a worker: */
  'time runs out': 0.15,
} as const;

export type FaultKind = keyof typeof usual;
export const faultKinds = Object.keys(usual) as FaultKind[];

export type Settings = ReturnType<typeof settingsOf>;

/**
 * `tasks`, `acts`: what clients and the administrator do. `duration`: hours until a journey of the template with priority
 * expires. `reachesBack`: at the end, the rules that are live reach back to everybody.
 */
export const settingsOf = (seed: number) =>
  scheduleOf(seed, usual, (random) => ({
    ...{ tasks: 8 + random.below(20), acts: 2 + random.below(7), steps: 150 + random.below(300) },
    startsADay: random.pick([1, 2, 1000, 1000]),
    duration: random.pick([90 / 3600, 24 * 365]),
    reachesBack: random.chance(0.3),
  }));
