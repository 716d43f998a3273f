import type { ContentCatalogue } from '../../store/content.ts';
import type { Database } from '../../store/database.ts';
import type { ProductCatalogue } from '../../store/products.ts';

/** What it takes to start journeys. */
export type StartDependencies = {
  database: Database;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A fresh UUID. */
  newId(): string;
  /** A fresh slug: 128 random bits or more. */
  newSlug(): string;
  /** Waits before round `n` (from 1) of deciding again, a random time, so that rivals do not meet again. */
  pause(round: number): Promise<void>;
};

/** What it takes to tell how far journeys have come. */
export type ProgressDependencies = {
  database: Database;
  content: ContentCatalogue;
  catalogue: ProductCatalogue;
  /** Milliseconds since the epoch. */
  now(): number;
};
