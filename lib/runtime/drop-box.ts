import { upsertBatch } from '../operations/contacts/upsert.ts';
import { startJourneys } from '../operations/journeys/start.ts';
import type { DropService } from '../operations/service.ts';
import { type ObjectStore, S3ObjectStore } from '../store/aws/objects.ts';
import { buckets } from './aws.ts';
import { guarded } from './base.ts';
import { contactService } from './content.ts';
import { dropBucket } from './drop-queue.ts';
import { importService } from './imports.ts';
import { service } from './table.ts';

const objects = guarded<ObjectStore>(() => new S3ObjectStore(dropBucket(), buckets()));
export const guardFiles = objects.guard;

/** For the function that reads dropped files. */
export const dropService = (): DropService => ({
  ...importService(),
  objects: objects.get(),
  upsertContacts: async (teamId, records, source) => {
    const { batch, journeys } = await upsertBatch(contactService(), { teamId, source }, records);
    await startJourneys(service(), teamId, journeys);
    return batch;
  },
});
