import type { StreamRecord } from '../../store/events/item-changes.ts';
import { DefectiveRecords, type PublishService, publish } from './publish.ts';

export type PublishBatchService = PublishService & {
  /** Sends what identifies the record to the on-failure queue. */
  sendFailure(record: StreamRecord): Promise<void>;
};

/**
 * Publishes a batch of the stream. A record with a defect is given up when it is alone, so that it holds up no other: an
 * operator publishes it later with a command.
 * @returns the sequence numbers of the records that failed because of an outage, as `publish` does
 * @throws DefectiveRecords if several records fail for another reason: Lambda passes them again in two parts
 */
export async function publishBatch(service: PublishBatchService, records: readonly StreamRecord[]): Promise<string[]> {
  try {
    return await publish(service, records);
  } catch (error) {
    const [record, ...others] = records;
    if (!(error instanceof DefectiveRecords) || !record || others.length > 0) throw error;
    await service.sendFailure(record);
    return [];
  }
}
