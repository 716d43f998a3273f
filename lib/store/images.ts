import type { FileType } from '../domain/team-file.ts';
import type { BucketClient } from './bucket-client.ts';
import { failureOf } from './errors.ts';
import { bytesOf } from './signed-requests.ts';

/** The contents of teams' files, by their ids. @throws StoreUnavailable */
export interface ImageStore {
  /** `undefined` if there is no such file. */
  read(fileId: string): Promise<Uint8Array | undefined>;
  write(fileId: string, bytes: Uint8Array, type: FileType): Promise<void>;
  /** Succeeds also if there is no such file. */
  remove(fileId: string): Promise<void>;
}

/** The grants of `get-file` end with this prefix. */
const keyOf = (fileId: string): string => `files/${fileId}`;

/** Without permission to list the bucket, S3 denies access to an object that does not exist. */
const missingErrors = new Set(['NoSuchKey', 'AccessDenied']);

export class S3ImageStore implements ImageStore {
  readonly #bucket: BucketClient;

  constructor(bucket: BucketClient) {
    this.#bucket = bucket;
  }

  async read(fileId: string): Promise<Uint8Array | undefined> {
    try {
      return await bytesOf({ body: await this.#bucket.get(keyOf(fileId)) });
    } catch (error) {
      if (error instanceof Error && missingErrors.has(error.name)) return undefined;
      throw failureOf(error, 'an image could not be read');
    }
  }

  async write(fileId: string, bytes: Uint8Array, type: FileType): Promise<void> {
    try {
      await this.#bucket.put(keyOf(fileId), bytes, { type });
    } catch (error) {
      throw failureOf(error, 'an image could not be written');
    }
  }

  async remove(fileId: string): Promise<void> {
    try {
      await this.#bucket.delete(keyOf(fileId));
    } catch (error) {
      throw failureOf(error, 'an image could not be deleted');
    }
  }
}
