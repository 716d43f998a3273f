import type { ContentCache } from '../../store/content.ts';
import type { Database } from '../../store/database.ts';
import type { ProductCache } from '../../store/products.ts';
import type { RetryDependencies } from '../retry.ts';

/** What it takes to start journeys. */
export type StartDependencies = RetryDependencies & {
  database: Database;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A fresh UUID. */
  newId(): string;
  /** A fresh slug: 128 random bits or more. */
  newSlug(): string;
};

/** What it takes to tell how far journeys have come. */
export type ProgressDependencies = {
  database: Database;
  content: ContentCache;
  productCache: ProductCache;
  /** Milliseconds since the epoch. */
  now(): number;
};
