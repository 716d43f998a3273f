import { Random } from '../random.ts';
import { queueFaults } from '../waiting-work/timed-queue.ts';
import { weatherOf } from '../weather.ts';

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
  'no time to settle': 0.4,
  'records repeated': 0.1,
  /** By turn of a worker: */
  'time runs out': 0.15,
} as const;

export type FaultKind = keyof typeof usual;
export const faultKinds = Object.keys(usual) as FaultKind[];

/** A schedule is fixed by its seed. Each has its own probabilities, so that all combinations of faults occur. */
export type Settings = {
  seed: number;
  weather: Readonly<Record<FaultKind, number>>;
  /** What clients and the administrator do. */
  tasks: number;
  acts: number;
  /** Steps until the faults end. */
  steps: number;
  /** Milliseconds by which the clock of an instance can be wrong. */
  skew: number;
  startsADay: number;
  /** Hours until a journey of the template with priority expires. */
  duration: number;
  /** At the end, the rules that are live reach back to everybody. */
  reachesBack: boolean;
};

export function settingsOf(seed: number): Settings {
  const random = new Random(seed ^ 0x5eed);
  return {
    seed,
    weather: weatherOf(random, usual),
    tasks: 8 + random.below(20),
    acts: 2 + random.below(7),
    steps: 150 + random.below(300),
    skew: random.pick([0, 0, 2000]),
    startsADay: random.pick([1, 2, 1000, 1000]),
    duration: random.pick([90 / 3600, 24 * 365]),
    reachesBack: random.chance(0.3),
  };
}
