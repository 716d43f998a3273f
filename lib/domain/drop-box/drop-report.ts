import * as z from 'zod';
import type { DropKind } from './drop.ts';
import type { FileNotice } from './file-notice.ts';

/** How a file ended. */
export const dropOutcome = z.object({
  /**
   * `completed`: all rows that were not rejected were applied, and there is one; or the file has none. `failed`: every
   * row was rejected, not all accepted rows were applied, or the file is not whole. `refused`: nothing was read.
   * `repeated`: nothing was read, because the version before has the same bytes.
   */
  status: z.enum(['completed', 'failed', 'refused', 'repeated']),
  /** Why the file is not completed; `null` if it is. */
  reason: z.string().nullable(),
  rows: z.object({
    /** All rows that were read: the accepted and the rejected ones. */
    read: z.number(),
    accepted: z.number(),
    /** The file of rejected rows contains each of them. */
    rejected: z.number(),
    /** Only for accounts, and only for rows in completed chunks. */
    applied: z.number().optional(),
    unchanged: z.number().optional(),
    superseded: z.number().optional(),
    /** Only for contacts. A contact is counted once for each call of the API. */
    created: z.number().optional(),
    existing: z.number().optional(),
  }),
  finished_at: z.string(),
});

/** A failed chunk of a file, with the lines that it contains. */
export const failedChunk = z.object({
  chunk_index: z.number(),
  first_line: z.number(),
  last_line: z.number(),
  reason: z.string(),
});

/** The report that the service writes as `<key>.report.json` when it has finished with a file. */
export type DropReport = z.output<typeof dropOutcome> & {
  key: string;
  version: string;
  type: DropKind | null;
  /** For accounts, the id of the batch for `GET /v1/batches/:batch_id`. */
  batch_id: string | null;
  /** Warnings about the whole file, for example columns that are not fields. */
  warnings: readonly string[];
  notices: readonly FileNotice[];
  /** The first 100 failed chunks of the batch. */
  failed_chunks: readonly z.output<typeof failedChunk>[];
  /** Key of the file with the rejected rows. */
  rejected_file: string | null;
  /** When the file arrived, and when its reading began. */
  received_at: string;
  began_at: string;
};
