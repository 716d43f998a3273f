import type { StreamRecord } from '../../store/events/item-changes.ts';
import { DefectiveRecords, type PublishDependencies, publish } from './publish.ts';

export type PublishBatchDependencies = PublishDependencies & {
  /** Sends what identifies the record to the on-failure queue. */
  sendFailure(record: StreamRecord): Promise<void>;
};

/**
 * Publishes a batch of the stream. A record with a defect is given up when it is alone, so that it holds up no other: an
 * operator publishes it later with a command.
 * @returns the sequence numbers of the records that failed because of an outage, as `publish` does
 * @throws DefectiveRecords if several records fail for another reason: Lambda passes them again in two parts
 */
export async function publishBatch(
  dependencies: PublishBatchDependencies,
  records: readonly StreamRecord[],
): Promise<string[]> {
  try {
    return await publish(dependencies, records);
  } catch (error) {
    const [record, ...others] = records;
    if (!(error instanceof DefectiveRecords) || !record || others.length > 0) throw error;
    await dependencies.sendFailure(record);
    return [];
  }
}
