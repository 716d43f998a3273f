import type { ObjectBytes } from './objects.ts';

/** One version of an object, and when it was written, in milliseconds since the epoch. */
export type StoredObject = { key: string; version: string; at: number };

/** The drop box as the administrator sees it: the service's functions can neither list nor delete. */
export interface DropBoxFiles {
  /** Every version of every object whose key begins so. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** `undefined` where that version is no longer there. */
  read(key: string, version: string): Promise<ObjectBytes | undefined>;
  write(key: string, text: AsyncIterable<string>): Promise<void>;
  /** Deletes that version for good; nothing happens where it is no longer there. */
  remove(key: string, version: string): Promise<void>;
}
