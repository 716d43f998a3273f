import type { Chunk } from '../../domain/chunk.ts';
import type { Database } from '../../store/database.ts';
import type { ProductRegister } from '../../store/products.ts';
import type { HandOver, ImportQueue } from '../../store/queue.ts';

/** What the import operations are handed. */
export type ImportDependencies = {
  database: Database;
  queue: ImportQueue;
  products: ProductRegister;
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
};

export const timestamp = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** The message that names the claim. */
export const handOverOf = (chunk: Chunk): HandOver => ({
  team_id: chunk.team_id,
  batch_id: chunk.batch_id,
  claim: chunk.claim,
  payload_id: chunk.payload_id,
  attempts: chunk.attempts,
});

/** Rounds of reading and deciding again after a lost race. Each round somebody else has won, so few are ever needed. */
export const maxRounds = 12;
