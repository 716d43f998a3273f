import type { Database } from '../../store/database.ts';
import type { ProductRegister } from '../../store/products.ts';
import type { ImportQueue } from '../../store/queue.ts';

/** What the import operations are given. */
export type ImportDependencies = {
  database: Database;
  queue: ImportQueue;
  products: ProductRegister;
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
  /** A short random wait after round `n` (from 1) of a lost race. */
  pause(round: number): Promise<void>;
  /** Told of a wake that could not be sent: the sweeper makes up for it. */
  onLostWake(teamId: string, error: unknown): void;
};

/** Rounds of reading and deciding again after a lost race. Each round somebody else has won, so few are ever needed. */
export const maxRounds = 12;
