import * as z from 'zod';
import { batchStatus } from './batch-status.ts';
import { type ErrorDetail, invalidRequest } from './problem.ts';

/** Paging through a team's batches (contract, section 5). */
export const batchListLimits = { default: 20, maximum: 100 } as const;

/** A page to read: the number of batches, and the position in the list after which it starts. */
export type BatchPage = { limit: number; after?: string | undefined };

/**
 * Returns the page for the query parameters. A cursor contains the limit of the request that returned it.
 * @throws Problem `invalid_request` for a cursor that is not from this list, or a limit other than that of the cursor
 */
export function batchPageOf(sent: { limit?: number | undefined; cursor?: string | undefined }): BatchPage {
  if (sent.cursor === undefined) return { limit: sent.limit ?? batchListLimits.default };
  const page = readCursor(sent.cursor);
  if (!page) throw invalidRequest(notOfThisList);
  if (sent.limit !== undefined && sent.limit !== page.limit) throw invalidRequest(otherLimit);
  return page;
}

const notOfThisList: ErrorDetail = { path: 'cursor', message: 'is not a cursor of this list' };
const otherLimit: ErrorDetail = {
  path: 'limit',
  message: 'must be the same as in the request that returned the cursor, or be left out',
};

/** The cursor as text. It is not sealed: it holds only a position among the team's own batches. */
export const writeCursor = ({ limit, after }: Required<BatchPage>): string =>
  Buffer.from(JSON.stringify([limit, after])).toString('base64url');

function readCursor(text: string): BatchPage | undefined {
  try {
    const [limit, after] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as [unknown, unknown];
    const isLimit = Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= batchListLimits.maximum;
    return isLimit && typeof after === 'string' && after !== '' ? { limit: Number(limit), after } : undefined;
  } catch {
    return undefined;
  }
}

/** The response of `GET /v1/batches`. */
export const batchList = z
  .object({
    batches: z
      .array(batchStatus.omit({ errors: true }).meta({ id: 'BatchSummary', description: 'The progress of a batch' }))
      .meta({ description: 'The batches of the page, without their errors' }),
    limit: z.int().meta({ description: 'Batches per page' }),
    has_more: z.boolean().meta({ description: 'True if there are older batches' }),
    next_cursor: z
      .string()
      .optional()
      .meta({ description: 'If there are more batches: the value of `cursor` for the next page' }),
  })
  .meta({ id: 'BatchList', description: "A page of the team's batches, newest first" });
export type BatchList = z.output<typeof batchList>;
