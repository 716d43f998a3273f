import type { DropDependencies } from '../operations/drop-box/dependencies.ts';
import { type ObjectStore, S3ObjectStore } from '../store/objects.ts';
import { now, once } from './base.ts';
import { contactDependencies } from './content.ts';
import { dropBucket } from './drop-queue.ts';
import { importDependencies } from './imports.ts';

/** What stands between the functions and the bucket. */
type Guard = (objects: ObjectStore) => ObjectStore;

let guard: Guard = (objects) => objects;

/** To be called before anything else: the local service refuses there what IAM would. */
export function guardFiles(with_: Guard): void {
  guard = with_;
}

const objects = once(() => guard(new S3ObjectStore(dropBucket())));

/** For the function that reads dropped files. */
export const dropDependencies = (): DropDependencies => ({
  objects: objects(),
  imports: importDependencies(),
  contacts: contactDependencies(),
  now,
});
