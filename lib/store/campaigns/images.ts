import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { FileType } from '../../domain/teams/team-file.ts';
import { failureOf, failWith } from '../table/errors.ts';

/** The contents of teams' files, by their ids. @throws StoreUnavailable */
export interface ImageStore {
  /** `undefined` if there is no such file. */
  read(fileId: string): Promise<Uint8Array | undefined>;
  write(fileId: string, bytes: Uint8Array, type: FileType): Promise<void>;
  /** Succeeds also if there is no such file. */
  remove(fileId: string): Promise<void>;
}

/** Without permission to list the bucket, S3 denies access to an object that does not exist. */
const missingErrors = new Set(['NoSuchKey', 'AccessDenied']);

export class S3ImageStore implements ImageStore {
  readonly #bucket: string;
  readonly #client: S3Client;

  constructor(bucket: string, client: S3Client) {
    this.#bucket = bucket;
    this.#client = client;
  }

  async read(fileId: string): Promise<Uint8Array | undefined> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand(this.#object(fileId)));
      return await Body!.transformToByteArray();
    } catch (error) {
      if (error instanceof Error && missingErrors.has(error.name)) return undefined;
      throw failureOf(error, 'an image could not be read');
    }
  }

  async write(fileId: string, bytes: Uint8Array, type: FileType): Promise<void> {
    const put = new PutObjectCommand({ ...this.#object(fileId), Body: bytes, ContentType: type });
    await this.#client.send(put).catch(failWith('an image could not be written'));
  }

  async remove(fileId: string): Promise<void> {
    const deletion = new DeleteObjectCommand(this.#object(fileId));
    await this.#client.send(deletion).catch(failWith('an image could not be deleted'));
  }

  /** The grants of `get-file` end with this prefix. */
  #object(fileId: string) {
    return { Bucket: this.#bucket, Key: `files/${fileId}` };
  }
}
