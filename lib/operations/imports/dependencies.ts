import type { RecordCounts } from '../../domain/chunk.ts';
import type { Database } from '../../store/database.ts';
import type { ProductRegistry } from '../../store/products.ts';
import type { ImportQueue } from '../../store/queue.ts';
import type { RetryDependencies } from '../retry.ts';

/** The dependencies of the import operations. */
export type ImportDependencies = RetryDependencies & {
  database: Database;
  queue: ImportQueue;
  products: ProductRegistry;
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
  /** Days that the records of accepted chunks are kept; by default 30. */
  payloadDays?: number | undefined;
  /** Called if a wake could not be sent. The sweeper sends another one later. */
  onLostWake(teamId: string, error: unknown): void;
  /** Called after a chunk was completed, with the outcomes of its records, or marked failed. */
  onClosed?(outcome: RecordCounts | 'failed'): void;
  /** Called with the error if the code fails on a record, which is then rejected. */
  onRecordFailure?(error: unknown): void;
  /** The request that is being accepted. Its wake names it, so that the log of the worker does too. */
  requestId?: string;
};
