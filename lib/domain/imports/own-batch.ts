/** Batches of the service itself, whose ids a client cannot use (contract, section 5). */

/** The accounts of a file are this batch. */
export const dropBatchId = (fileId: string): string => `drop-${fileId}`;

export const isDropBatchId = (batchId: string): boolean => batchId.startsWith(dropBatchId(''));

/** The removals of a run of the admin command are this batch. */
export const removalBatchId = (runId: string): string => `remove-${runId}`;

export const isRemovalBatchId = (batchId: string): boolean => batchId.startsWith(removalBatchId(''));

/** True if only the service itself writes the batch: a client that could would add rows, or take their pairs. */
export const isOwnBatchId = (batchId: unknown): boolean =>
  typeof batchId === 'string' && (isDropBatchId(batchId) || isRemovalBatchId(batchId));
