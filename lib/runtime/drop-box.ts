import { setTimeout as sleep } from 'node:timers/promises';
import type { DropDependencies } from '../operations/service.ts';
import { type ObjectStore, S3ObjectStore } from '../store/aws/objects.ts';
import { buckets } from './aws.ts';
import { guarded, now } from './base.ts';
import { contactDependencies } from './content.ts';
import { dropBucket } from './drop-queue.ts';
import { importDependencies } from './imports.ts';

const objects = guarded<ObjectStore>(() => new S3ObjectStore(dropBucket(), buckets()));
export const guardFiles = objects.guard;

/** For the function that reads dropped files. */
export const dropDependencies = (): DropDependencies => ({
  objects: objects.get(),
  imports: importDependencies(),
  contacts: contactDependencies(),
  now,
  wait: (milliseconds) => sleep(milliseconds),
});
