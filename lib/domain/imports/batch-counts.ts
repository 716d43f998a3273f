import * as z from 'zod';

/** Most indexes that a list in the status of a batch names. */
export const maxIndexes = 100;

export const count = (description: string) => z.int().min(0).describe(description);

/** Counts of records, in the status of a batch and in the event of its end. */
export const batchRecords = z
  .object({
    accepted: count('Records of the accepted chunks'),
    applied: count('Records that changed something'),
    unchanged: count('Records that were equal to the stored data'),
    superseded: count(
      'Records that were not applied because a later chunk had already written or confirmed the same item',
    ),
    rejected: count('Records that could not be stored. See `errors`'),
  })
  .meta({
    id: 'BatchRecords',
    description: 'Counts of records. For completed chunks, the last four add up to the accepted records',
  });
export type BatchRecords = z.output<typeof batchRecords>;
