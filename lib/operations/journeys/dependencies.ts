import type { ContentCache } from '../../store/content.ts';
import type { Database } from '../../store/database.ts';
import type { ProductCache } from '../../store/products.ts';
import type { RetryDependencies } from '../retry.ts';

/** The dependencies of operations that start journeys. */
export type StartDependencies = RetryDependencies & {
  database: Database;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Returns a new UUID. */
  newId(): string;
  /** Returns a new slug of at least 128 random bits. */
  newSlug(): string;
};

/** The dependencies of operations that compute the progress of journeys. */
export type ProgressDependencies = {
  database: Database;
  content: ContentCache;
  productCache: ProductCache;
  /** Milliseconds since the epoch. */
  now(): number;
};
