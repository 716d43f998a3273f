import type { ObjectBytes } from '../../../lib/store/objects.ts';

/** One version of an object, and the time of its write in milliseconds since the epoch. */
export type StoredObject = { key: string; version: string; at: number };

/** Access of an administrator to the drop box: the functions of the service can neither list nor delete. */
export interface DropBoxFiles {
  /** All versions of all objects with this prefix. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** `undefined` if the version was deleted. */
  read(key: string, version: string): Promise<ObjectBytes | undefined>;
  write(key: string, text: AsyncIterable<string>): Promise<void>;
  /** Deletes the version permanently; no error if it was already deleted. */
  remove(key: string, version: string): Promise<void>;
}
