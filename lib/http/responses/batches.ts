import * as z from 'zod';
import { batchAcceptance } from '../../domain/imports/batch.ts';
import { batchList, batchStatus } from '../../domain/imports/batch-responses.ts';
import { nextPage, responses } from '../contract.ts';

export const createBatch = responses({
  202: { description: 'The records are stored durably and will be applied', schema: batchAcceptance },
});

export const getBatch = responses({
  200: { description: 'The status of all chunks of the batch so far', schema: batchStatus },
});

export const findBatch = responses({
  200: {
    description: 'A page of batches, or the status of the batch with this `batch_id`',
    schema: z.union([batchList, batchStatus]),
    headers: nextPage,
  },
});
