import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { sequenceOf } from './stream-records.ts';

export type Delivery = {
  invoke: (event: DynamoDBStreamEvent) => Promise<unknown>;
  retries: number;
  /** Waits before the retry with this number, from 0. Rejects if the service stops. */
  pause: (retry: number) => Promise<void>;
  /** Receives what still fails after the last retry. */
  giveUp: (records: readonly DynamoDBRecord[]) => void;
};

type Batch = { records: readonly DynamoDBRecord[]; retries: number };

/**
 * Invokes a function with the records in their order, as an event source mapping does that bisects and reports partial
 * failures. A batch whose invocation fails is split in halves, which uses up no retry. If the function reports a record,
 * this record and those after it are tried again.
 */
export async function deliver(records: readonly DynamoDBRecord[], delivery: Delivery): Promise<void> {
  const waiting: Batch[] = [{ records, retries: 0 }];
  for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
    const { failed, isSplit } = await attempt(batch.records, delivery);
    if (failed.length === 0) continue;
    if (isSplit) {
      const middle = Math.ceil(failed.length / 2);
      const { retries } = batch;
      waiting.unshift({ records: failed.slice(0, middle), retries }, { records: failed.slice(middle), retries });
      continue;
    }
    const retries = failed.length < batch.records.length ? 0 : batch.retries;
    if (retries === delivery.retries) {
      delivery.giveUp(failed);
      continue;
    }
    await delivery.pause(retries);
    waiting.unshift({ records: failed, retries: retries + 1 });
  }
}

/** @returns the records from the first one that failed */
async function attempt(
  records: readonly DynamoDBRecord[],
  { invoke }: Delivery,
): Promise<{ failed: readonly DynamoDBRecord[]; isSplit: boolean }> {
  const wholeFails = { failed: records, isSplit: records.length > 1 };
  let response: DynamoDBBatchResponse | null | undefined;
  try {
    response = (await invoke({ Records: [...records] })) as DynamoDBBatchResponse | null | undefined;
  } catch (error) {
    console.error(error);
    return wholeFails;
  }
  const places = (response?.batchItemFailures ?? []).map(({ itemIdentifier }) =>
    records.findIndex((record) => sequenceOf(record) === itemIdentifier),
  );
  if (places.includes(-1)) return wholeFails;
  const first = places.reduce((least, place) => Math.min(least, place), records.length);
  return { failed: records.slice(first), isSplit: false };
}
