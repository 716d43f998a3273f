import { queueFaults } from '../waiting-work/timed-queue.ts';
import { scheduleOf } from '../weather.ts';

/** Faults, with their probability by step or by call when they are frequent. */
const usual = {
  /** By step: */
  crash: 0.012,
  'process slow': 0.03,
  stall: 0.003,
  'restart with empty queues': 0.0015,
  'store outage': 0.004,
  'hours pass': 0.002,
  'message lost': 0.006,
  'message doubled': 0.01,
  'two sweeps': 0.006,
  'table restored': 0.0003,
  /** By call of the store: */
  'call refused': 0.02,
  'response lost': 0.02,
  'transaction torn': 0.2,
  ...queueFaults,
  /** By turn of a worker: */
  'time runs out': 0.15,
  /** By message that is handed over: the provider takes nothing now, refuses it, or takes it and does not answer. */
  'provider is busy': 0.1,
  'provider refuses': 0.05,
  'answer lost': 0.1,
  /** By report of the provider: it comes twice; another one comes before it. */
  'report doubled': 0.3,
  'report late': 0.4,
} as const;

export type FaultKind = keyof typeof usual;
export const faultKinds = Object.keys(usual) as FaultKind[];

export type Settings = ReturnType<typeof settingsOf>;

/** `tasks`: what clients, people and administrators do. */
export const settingsOf = (seed: number) =>
  scheduleOf(seed, usual, (random) => ({ tasks: 12 + random.below(25), steps: 500 + random.below(700) }));
