import { setTimeout as sleep } from 'node:timers/promises';
import type { DropDependencies } from '../operations/service.ts';
import { type ObjectStore, S3ObjectStore } from '../store/objects.ts';
import { buckets } from './aws.ts';
import { now, once } from './base.ts';
import { contactDependencies } from './content.ts';
import { dropBucket } from './drop-queue.ts';
import { importDependencies } from './imports.ts';

/** Wraps the bucket that the functions use. */
type Guard = (objects: ObjectStore) => ObjectStore;

let guard: Guard = (objects) => objects;

/** Call it before anything else. The local service uses it to reject the accesses that IAM would deny. */
export function guardFiles(newGuard: Guard): void {
  guard = newGuard;
}

const objects = once(() => guard(new S3ObjectStore(dropBucket(), buckets())));

/** For the function that reads dropped files. */
export const dropDependencies = (): DropDependencies => ({
  objects: objects(),
  imports: importDependencies(),
  contacts: contactDependencies(),
  now,
  wait: (milliseconds) => sleep(milliseconds),
});
