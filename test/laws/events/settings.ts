import { scheduleOf } from '../weather.ts';

/** Faults, with their probability by step or by call when they are frequent. */
const usual = {
  /** By step: */
  crash: 0.02,
  'process slow': 0.03,
  'store outage': 0.004,
  /** By call of the store: */
  'call refused': 0.02,
  'response lost': 0.02,
  'transaction torn': 0.2,
  /** By invocation of the publisher: a second one begins before the first has ended. */
  'publisher overtaken': 0.1,
  'bus refuses': 0.05,
  /** By invocation of the publisher: it has no time for completions, which then wait in the lane. */
  'no time to settle': 0.5,
  /** By request to the receiver of a webhook: */
  'receiver fails': 0.1,
  'response of the receiver lost': 0.2,
  'wake lost': 0.3,
  /** By turn of a reader: it dies before it keeps its cursor. */
  'reader forgets': 0.1,
} as const;

export type FaultKind = keyof typeof usual;
export const faultKinds = Object.keys(usual) as FaultKind[];

export type Settings = ReturnType<typeof settingsOf>;

export const settingsOf = (seed: number) =>
  scheduleOf(seed, usual, (random) => ({ tasks: 3 + random.below(12), steps: 60 + random.below(160) }));
