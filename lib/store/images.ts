import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { FileType } from '../domain/team-file.ts';
import { objectRequests } from './connections.ts';
import { failureOf } from './errors.ts';

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
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(bucket: string, client?: S3Client) {
    this.#bucket = bucket;
    this.#client = client ?? new S3Client({ requestHandler: objectRequests });
  }

  async read(fileId: string): Promise<Uint8Array | undefined> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: keyOf(fileId) }));
      return await Body?.transformToByteArray();
    } catch (error) {
      if (error instanceof Error && missingErrors.has(error.name)) return undefined;
      throw failureOf(error, 'an image could not be read');
    }
  }

  async write(fileId: string, bytes: Uint8Array, type: FileType): Promise<void> {
    const put = { Bucket: this.#bucket, Key: keyOf(fileId), Body: bytes, ContentType: type };
    try {
      await this.#client.send(new PutObjectCommand(put));
    } catch (error) {
      throw failureOf(error, 'an image could not be written');
    }
  }

  async remove(fileId: string): Promise<void> {
    try {
      await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: keyOf(fileId) }));
    } catch (error) {
      throw failureOf(error, 'an image could not be deleted');
    }
  }
}
