import type { Database } from '../../store/database.ts';

/** What the operations on contacts are handed. */
export type ContactDependencies = {
  database: Database;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Waits before round `n` (from 1) of deciding again, a random time, so that rivals do not meet again. */
  pause(round: number): Promise<void>;
};

/** Rounds of reading and deciding again after a lost race; with the pauses between them some seconds in all. */
export const maxRounds = 20;
