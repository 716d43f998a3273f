import { scheduleOf } from '../weather.ts';
import { queueFaults } from './timed-queue.ts';

/** Faults, with their probability by step or by call when they are frequent. */
const usual = {
  /** By step: */
  crash: 0.012,
  'process slow': 0.04,
  stall: 0.006,
  'restart with empty queues': 0.002,
  'store outage': 0.004,
  'sweep stops': 0.003,
  'two sweeps': 0.006,
  'message lost': 0.006,
  'message doubled': 0.006,
  /** By piece of work: */
  'work defective': 0.1,
  /** By call of the store: */
  'call refused': 0.02,
  'response lost': 0.02,
  'transaction torn': 0.2,
  ...queueFaults,
  /** By turn of a worker: */
  'time runs out': 0.15,
  /** By request to the receiver of the webhook: */
  'receiver fails': 0.1,
} as const;

export type FaultKind = keyof typeof usual;
export const faultKinds = Object.keys(usual) as FaultKind[];

export type Settings = ReturnType<typeof settingsOf>;

/** `pieces`: of work, for each user. */
export const settingsOf = (seed: number) =>
  scheduleOf(seed, usual, (random) => ({ pieces: 2 + random.below(6), steps: 100 + random.below(200) }));
