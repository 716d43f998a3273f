import type { Database } from '../../store/database.ts';
import type { ProductRegistry } from '../../store/products.ts';
import type { ImportQueue } from '../../store/queue.ts';
import type { RetryDependencies } from '../retry.ts';

/** What the import operations are given. */
export type ImportDependencies = RetryDependencies & {
  database: Database;
  queue: ImportQueue;
  products: ProductRegistry;
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
  /** Told of a wake that could not be sent: the sweeper makes up for it. */
  onLostWake(teamId: string, error: unknown): void;
};
